# SPDX-License-Identifier: Apache-2.0
"""Numbers that are known to lie between two ends."""
import math

import numpy as np


def _rounded(x, digits, up):
    """x with some significant digits, never below x if `up`, else never above it."""
    if x == 0 or not math.isfinite(x):
        return repr(float(x) + 0.0).replace(".0", "") if x == 0 else repr(float(x))
    text = f"{x:.{digits}g}"
    if (float(text) < x) if up else (float(text) > x):
        half = 0.5 * 10.0 ** (math.floor(math.log10(abs(x))) - (digits - 1))
        text = f"{x + half if up else x - half:.{digits}g}"
    good = float(text) >= x if up else float(text) <= x
    return text if good else repr(float(x))


class Bracket(float):
    """A number that is known to lie in [lower, upper].

    It is its upper end wherever a float is expected, which is the safe one of a guarantee, and prints as an interval.

    >>> epsilon = Bracket(1.25, 1.5)
    >>> epsilon
    Bracket(1.25, 1.5)
    >>> print(epsilon)
    [1.25, 1.5]
    >>> epsilon <= 1.5, 2 * epsilon, epsilon.lower, epsilon.width
    (True, 3.0, 1.25, 0.25)
    >>> 1.3 in epsilon
    True
    """

    __slots__ = ("_lower",)

    def __new__(cls, lower, upper=None):
        if upper is None:
            upper = lower
        self = float.__new__(cls, upper)
        if not lower <= self:
            raise ValueError(f"lower = {lower!r}, need lower <= upper = {float(self)!r}")
        self._lower = float(lower)
        return self

    @property
    def lower(self):
        """The lower end."""
        return self._lower

    @property
    def upper(self):
        """The upper end, which the bracket is as a float."""
        return float(self)

    @property
    def width(self):
        """upper - lower; 0 for a single point, also at infinity."""
        return 0.0 if self._lower == float(self) else float(self) - self._lower

    def __contains__(self, x):
        return self._lower <= x <= float(self)

    def __repr__(self):
        return f"Bracket({self._lower!r}, {float(self)!r})"

    def __str__(self):
        return f"[{_rounded(self._lower, 6, up=False)}, {_rounded(float(self), 6, up=True)}]"

    def __format__(self, spec):
        return str(self) if not spec else float.__format__(self, spec)

    def __getnewargs__(self):
        return self._lower, float(self)

    def _repr_html_(self):
        return f"<span title='{self!r}'>{self!s}</span>"


class Brackets(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of brackets: the arrays `lower` and `upper`, of one shape.

    It is its upper ends wherever NumPy expects an array. One element is a Bracket, a slice an array of them.

    >>> many = Brackets([0.5, 1.0], [0.75, 1.25])
    >>> many[1]
    Bracket(1.0, 1.25)
    >>> (2 * many).tolist(), float(many.max())
    ([1.5, 2.5], 1.25)
    >>> print(many)
    [[0.5, 0.75], [1, 1.25]]
    """

    __slots__ = ("lower", "upper")

    def __init__(self, lower, upper):
        self.lower = np.asarray(lower, dtype=np.float64)
        self.upper = np.asarray(upper, dtype=np.float64)
        if self.lower.shape != self.upper.shape:
            raise ValueError(f"lower has the shape {self.lower.shape}, need that of upper, {self.upper.shape}")

    @property
    def shape(self):
        return self.upper.shape

    @property
    def ndim(self):
        return self.upper.ndim

    @property
    def size(self):
        return self.upper.size

    @property
    def dtype(self):
        return self.upper.dtype

    @property
    def width(self):
        """upper - lower, element by element."""
        with np.errstate(invalid="ignore"):
            return np.where(self.lower == self.upper, 0.0, self.upper - self.lower)

    def __len__(self):
        return len(self.upper)

    def __bool__(self):
        # As for arrays: not of several numbers at once.
        return bool(self.upper)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __getitem__(self, index):
        lower, upper = self.lower[index], self.upper[index]
        return Bracket(lower, upper) if np.ndim(upper) == 0 else Brackets(lower, upper)

    def __array__(self, dtype=None, copy=None):
        if copy is False and dtype is not None and np.dtype(dtype) != self.upper.dtype:
            raise ValueError("a copy is needed to change the dtype")
        return np.array(self.upper, dtype=dtype) if copy or dtype is not None else self.upper

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if any(isinstance(x, Brackets) for x in kwargs.get("out", ())):
            raise TypeError("Brackets cannot be written to; use their arrays, lower and upper")
        plain = [x.upper if isinstance(x, Brackets) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def max(self, axis=None, out=None):
        """The bracket of the largest element, or of the largest ones along an axis."""
        return self._reduced(np.max, axis, out)

    def min(self, axis=None, out=None):
        """The bracket of the smallest element, or of the smallest ones along an axis."""
        return self._reduced(np.min, axis, out)

    def _reduced(self, function, axis, out):
        if out is not None:
            raise TypeError("Brackets are not written into an array")
        lower, upper = function(self.lower, axis=axis), function(self.upper, axis=axis)
        return Bracket(lower, upper) if np.ndim(upper) == 0 else Brackets(lower, upper)

    def tolist(self):
        """The upper ends as a list."""
        return self.upper.tolist()

    def __repr__(self):
        return f"Brackets(lower={self.lower!r}, upper={self.upper!r})"

    def __str__(self):
        flat = [str(Bracket(a, b)) for a, b in zip(self.lower.ravel()[:8], self.upper.ravel()[:8])]
        return "[" + ", ".join(flat) + (", ..." if self.size > 8 else "") + "]"
