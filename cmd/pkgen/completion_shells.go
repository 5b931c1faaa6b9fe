package main

import (
	"fmt"
	"strings"
)

// namesOf joins the names of subcommands.
func namesOf(all []command, sep string) string {
	var names []string
	for _, c := range all[1:] {
		names = append(names, c.name)
	}
	return strings.Join(names, sep)
}

// branches writes the arms of a case, each with the words that it offers.
func branches(b *strings.Builder, indent string, all []branch) {
	for _, one := range all {
		fmt.Fprintf(b, "%s%s) candidates='%s' ;;\n", indent, one.pattern, strings.Join(one.words, " "))
	}
}

// choose writes the cases that bash and zsh have in common. What they offer is in
// candidates; where only the user knows, they return.
func choose(b *strings.Builder, all []command) {
	known, free := afterFlags(all)
	b.WriteString("\tcase \"$subcommand:$before\" in\n")
	branches(b, "\t", known)
	fmt.Fprintf(b, "\t%s) ;;\n", strings.Join(free, " | "))
	b.WriteString("\t*)\n\t\tcase \"$subcommand:$word\" in\n")
	branches(b, "\t\t", words(all))
	fmt.Fprintf(b, "\t\t:*) if ((first)); then candidates='%s'; fi ;;\n", namesOf(all, " "))
	b.WriteString("\t\tesac\n\t\t;;\n\tesac\n")
}

// bashCompletion writes a function for complete ("Programmable Completion" in
// the Bash Reference Manual). Where it offers nothing, bash offers files.
func bashCompletion(all []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Completion of pkgen for bash: source <(pkgen completion bash)
_pkgen() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	if [[ $word == '=' ]]; then # -flag=value is three words
		word=''
	elif [[ $before == '=' ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	local subcommand='' candidates='' first=$((COMP_CWORD == 1))
	case ${COMP_WORDS[1]} in
	%s) ((first)) || subcommand=${COMP_WORDS[1]} ;;
	esac
`, namesOf(all, " | "))
	choose(&b, all)
	b.WriteString("\tCOMPREPLY=($(compgen -W \"$candidates\" -- \"$word\"))\n}\ncomplete -o default -F _pkgen pkgen\n")
	return b.String()
}

// zshCompletion writes a function for compdef ("Completion System" in the Z
// Shell Manual), to be sourced or to be a file _pkgen of the fpath.
func zshCompletion(all []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#compdef pkgen
# Completion of pkgen for zsh: source <(pkgen completion zsh)
_pkgen() {
	local word=$words[CURRENT] before=$words[CURRENT-1]
	if compset -P '*='; then
		before=${word%%%%=*} word=${word#*=}
	fi
	local subcommand='' candidates='' first=$((CURRENT == 2))
	case $words[2] in
	%s) ((first)) || subcommand=$words[2] ;;
	esac
`, namesOf(all, " | "))
	choose(&b, all)
	b.WriteString("\tcompadd -- ${=candidates}\n\tif [[ -z $candidates ]] || { ((first)) && [[ $word != -* ]]; }; then _files; fi\n}\n")
	b.WriteString("if [[ $funcstack[1] == _pkgen ]]; then _pkgen; else compdef _pkgen pkgen; fi\n")
	return b.String()
}

// fishCompletion writes a line for each word ("complete" in fish's documentation).
func fishCompletion(all []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Completion of pkgen for fish: pkgen completion fish | source
function __pkgen_runs # a subcommand, or '' for pkgen itself
	set -l words (commandline -opc)
	if contains -- "$words[2]" %s
		test "$words[2]" = "$argv[1]"
	else
		test -z "$argv[1]"
	end
end
function __pkgen_first # the word is the first
	test (count (commandline -opc)) -eq 1
end
`, namesOf(all, " "))
	for _, c := range all {
		if c.name != "" {
			fmt.Fprintf(&b, "complete -c pkgen -n __pkgen_first -a %s -d %s\n", c.name, fishText(c.help))
		}
		when := fishText("__pkgen_runs '" + c.name + "'")
		if c.operands != nil {
			fmt.Fprintf(&b, "complete -c pkgen -n %s -f -a %s\n", when, fishText(strings.Join(c.operands, " ")))
		}
		for _, f := range c.completions() {
			value := ""
			switch {
			case f.values != nil:
				value = " -x -a " + fishText(strings.Join(f.values, " "))
			case !f.alone:
				value = " -r"
			}
			fmt.Fprintf(&b, "complete -c pkgen -n %s -o %s%s -d %s\n", when, f.name[1:], value, fishText(f.help))
		}
	}
	return b.String()
}

// fishText writes a text as one word of fish ("The fish language").
func fishText(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
