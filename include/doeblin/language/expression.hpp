// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "doeblin/language/program.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/language/syntax.hpp"

namespace doeblin::language {

/// A text in quotes where a source could stand, as in "'a.json' | compose(12)": what the file of that name is about.
using Operand = std::function<Program(const std::string& path)>;

/// The program that an expression describes, for example "gaussian(sigma=1.1) | group(3)".
///
/// Numbers are the nearest doubles to what is written: decimals and arithmetic in arguments are meant as rationals, which
/// are rounded once (catalogue C10). The guarantee is about those doubles, which the derivation shows. Whether values are
/// sensible is not looked at.
/// Errors   InvalidArgument (ExpressionError where a place can be named); for an open argument; for a file as an operand
///          where nothing is said that reads it
[[nodiscard]] Program parse(std::string_view expression, const Operand& operand = {});

/// The same with open arguments, '?'.
[[nodiscard]] Program parse_open(std::string_view expression, const Operand& operand = {});

/// The same with exactly one of them, in which the guarantee is monotone.
[[nodiscard]] Program parse_with_hole(std::string_view expression, const Operand& operand = {});

/// A part of an expression, such as kernels or stages in a row without a source.
[[nodiscard]] Program parse_part(std::string_view expression);

/// Kernels in a row, such as "kernel('walk.csv') | k_ary_response(k=4, p=0.7)".
[[nodiscard]] Program parse_kernels(std::string_view expression);

/// A number, or arithmetic such as "256/60000".
[[nodiscard]] double parse_number(std::string_view arithmetic);

/// An expression that is one call of `schema` (its name alone is a call without arguments), possibly with open
/// arguments; nothing if it is anything else.
/// Errors   InvalidArgument when the call does not fit the schema
[[nodiscard]] std::optional<Call> parse_call(std::string_view expression, const Schema& schema);

}  // namespace doeblin::language
