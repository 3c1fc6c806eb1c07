import { type Command, globalOptions } from './command.ts'
import { usage } from './failures.ts'

/** Scripts that complete nouns, verbs, and options in a shell. */

/** What can follow after the words of a command, by these words. */
function followers(commands: readonly Command[]): Map<string, string[]> {
  const next = new Map<string, string[]>([['', ['help']]])
  const add = (words: string, word: string) => next.set(words, [...new Set([...(next.get(words) ?? []), word])])
  for (const { name, options = [] } of commands) {
    const [noun = '', verb] = name.split(' ')
    add('', noun)
    if (verb) add(noun, verb)
    for (const option of [...options, ...globalOptions]) add(name, `--${option.name}`)
  }
  return next
}

const cases = (commands: readonly Command[]): string =>
  [...followers(commands)].map(([words, next]) => `    '${words}') words='${next.join(' ')}' ;;`).join('\n')

const bash = (commands: readonly Command[]) => `_signet() {
  local words current=\${COMP_WORDS[COMP_CWORD]} first='' second=''
  [ "$COMP_CWORD" -gt 1 ] && first=\${COMP_WORDS[1]}
  [ "$COMP_CWORD" -gt 2 ] && second=" \${COMP_WORDS[2]}"
  case "$first$second" in
${cases(commands)}
    *) words='' ;;
  esac
  if [ -z "$words" ]; then
    case "$first" in
${cases(commands).replaceAll(/^ {4}/gm, '      ')}
      *) words='' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _signet signet
`

const zsh = (commands: readonly Command[]) => `#compdef signet
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`

function fish(commands: readonly Command[]): string {
  const lines = ["complete -c signet -n __fish_use_subcommand -f -a help -d 'Show how to use a command'"]
  const quoted = (text: string) => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`
  const nouns = new Set<string>()
  for (const { name, summary, options = [] } of commands) {
    const [noun = '', verb] = name.split(' ')
    if (!nouns.has(noun)) {
      const description = verb ? '' : ` -d ${quoted(summary)}`
      lines.push(`complete -c signet -n __fish_use_subcommand -f -a ${noun}${description}`)
    }
    nouns.add(noun)
    const isNoun = `__fish_seen_subcommand_from ${noun}`
    if (verb) lines.push(`complete -c signet -n '${isNoun}' -f -a ${verb} -d ${quoted(summary)}`)
    const condition = verb ? `${isNoun}; and __fish_seen_subcommand_from ${verb}` : isNoun
    for (const option of options) {
      const value = option.value ? ' -r' : ''
      lines.push(`complete -c signet -n '${condition}' -l ${option.name}${value} -d ${quoted(option.summary)}`)
    }
  }
  for (const { name, value, summary } of globalOptions)
    lines.push(`complete -c signet -l ${name}${value ? ' -r' : ''} -d ${quoted(summary)}`)
  return `${lines.join('\n')}\n`
}

const shells: Record<string, (commands: readonly Command[]) => string> = { bash, zsh, fish }

export const completionCommand = (others: readonly Command[]): Command => ({
  name: 'completion',
  args: ['SHELL'],
  summary: 'Print a completion script for bash, zsh, or fish',
  more: `For bash, add to ~/.bashrc:   eval "$(signet completion bash)"
For zsh, add to ~/.zshrc:     eval "$(signet completion zsh)"
For fish:                     signet completion fish > ~/.config/fish/completions/signet.fish`,
  run({ args: [shell = ''], output }) {
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
    if (!script) throw usage('The shell is bash, zsh, or fish')
    output.line(script(others).trimEnd())
  },
})
