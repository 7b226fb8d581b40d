# SPDX-License-Identifier: Apache-2.0
"""Doeblin behind the interfaces of other accountants.

`doeblin.bridges.dp_accounting` reads events of dp-accounting and offers an accountant with its interface;
`doeblin.bridges.opacus` is an accountant with the interface of those of Opacus. Each is imported only when asked for.
"""
