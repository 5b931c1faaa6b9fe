package main

// zshSetup is the .zshrc of a shell whose tab key inserts everything that is
// offered, and whose Ctrl-G prints the line between marks and empties it
// ("Completion Widgets" and "Zsh Line Editor" in the Z Shell Manual).
const zshSetup = `
PROMPT= PS2= RPS1=
unsetopt prompt_cr prompt_sp
autoload -Uz compinit && compinit -u -D
eval $SETUP
insert-all() { _main_complete; compstate[insert]=all; compstate[list]= }
zle -C insert-all complete-word insert-all
bindkey '^I' insert-all
show() { print -rn -- "<<$BUFFER>>"; BUFFER= }
zle -N show
bindkey '^G' show
ready() { print -rn -- "<<ready>>" }
zle -N zle-line-init ready
`

// zshPress types its arguments at a shell in a terminal, each with a tab after it,
// and prints the lines that result ("The zsh/zpty Module").
const zshPress = `
zmodload zsh/zpty || exit
zpty shell zsh -i
answer() {
	local text
	zpty -r shell text '*<<*>>' || exit
	text=${text##*<<}
	REPLY=${text%>>*}
}
answer
for line; do
	zpty -w -n shell $line$'\t\a'
	answer
	print -r -- $REPLY
done
zpty -d shell
`
