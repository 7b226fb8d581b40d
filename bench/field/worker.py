# SPDX-License-Identifier: Apache-2.0
"""The process of one contestant: python bench/field/worker.py MODULE INDEX NAME"""
import importlib
import sys
import warnings

from contest import answer_here

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    module, index, name = sys.argv[1:]
    answer_here(importlib.import_module(module).CONTESTS[int(index)], name)
