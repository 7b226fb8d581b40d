# SPDX-License-Identifier: Apache-2.0
"""What is put to the program: one file for each area, with a function `one(case)`."""
