# SPDX-License-Identifier: Apache-2.0
"""Why a peer is ahead of us, where one is: {(part of the question, part of the peer): reason}. Each is the next thing to fix."""

EXPLANATIONS = {
    ("sigma for epsilon", "RDP"):
        "a Renyi bound at fixed orders takes no longer for many releases than for one, and its sigma is 8% too large. Ours asks "
        "a loss distribution some thirty times. Next: begin with wide brackets, and narrow them as the search closes in.",
    ("laplace", "RDP"):
        "a closed form at fixed orders takes microseconds; its epsilon is 7% too large. Ours lays a grid whatever the width that "
        "is asked for. Next: where a wide bracket will do, ask the Renyi curve first.",
    ("DP-SGD", "RDP"):
        "a Renyi bound at fixed orders takes no longer for many releases than for one, and its epsilon is 5% to 90% too large. "
        "The coarsest grid of ours still grows with the releases. Next: where a wide bracket will do, ask the Renyi curve "
        "first, at whole orders.",
}
