s#^\( *\)/// \(Formula\|Source\|Domain\|Bound\|Method\|Errors\|Cost\|Example\|Returns\)  *\(.*\)#\1/// @par \2\n\1/// \3#
