#!/usr/bin/env bash
# The lint step of action.yml. Its inputs are variables, and what they hold is never run.
set -euo pipefail

# The lines of a text that are not empty, without blanks around them.
lines() {
  local line
  while IFS= read -r line; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    if [[ -n $line ]]; then printf '%s\0' "$line"; fi
  done <<<"$1"
}

mapfile -d '' -t paths < <(lines "$INPUT_PATHS")
mapfile -d '' -t options < <(lines "$INPUT_ARGUMENTS")
if [[ -n $INPUT_FAIL_ON ]]; then options+=(--fail-on "$INPUT_FAIL_ON"); fi
if [[ -n $INPUT_SINCE ]]; then options+=(--since "$INPUT_SINCE"); fi

sarif=${INPUT_SARIF:-$ROCECFG_TEMP/rocecfg.sarif} # not in the checkout, unless it is asked for
rm -f -- "$ROCECFG_TEMP/rocecfg.sarif"            # of an earlier step

code=0
"$ROCECFG" lint --output github --output "sarif=$sarif" "${options[@]}" -- "${paths[@]}" || code=$?
if [[ -f $sarif && ! -L $sarif ]]; then printf 'sarif=%s\n' "$sarif" >>"$GITHUB_OUTPUT"; fi
exit "$code"
