import { parseArgs } from 'node:util'
import { globalOptions, type Option } from '../../../sdks/cli/src/command.ts'
import { commands } from '../../../sdks/cli/src/commands.ts'

const optionsOf = (options: readonly Option[]) =>
  Object.fromEntries(
    options.map(({ name, value, isList = false }) => [
      name,
      { type: value ? 'string' : 'boolean', multiple: isList } as const,
    ]),
  )

/**
 * Problems of `signet WORDS`. In a sentence, a command is often named without its arguments and without the values of its
 * options.
 */
export function signetProblems(words: readonly string[], isNamed: boolean): string[] {
  const [noun = '', verb = ''] = words
  if (noun === 'help' || noun === '--version') return []
  const isNoun = commands.some(({ name }) => name.startsWith(`${noun} `))
  if (isNoun && isNamed && (verb === '' || verb.startsWith('-') || /^[A-Z…]/.test(verb))) return []
  const command = commands.find(({ name }) => name === `${noun} ${verb}`) ?? commands.find(({ name }) => name === noun)
  if (!command) return [`there is no command "signet ${noun} ${verb}"`]
  const given = words.slice(command.name.split(' ').length)
  const options = optionsOf([...globalOptions, ...(command.options ?? [])])
  if (isNamed) {
    const unknown = given.filter((word) => word.startsWith('--') && !Object.hasOwn(options, word.slice(2)))
    return unknown.map((word) => `"signet ${command.name}" has no option ${word}`)
  }
  try {
    const { positionals } = parseArgs({ args: given, options, allowPositionals: true })
    const wanted = command.args ?? []
    const least = wanted.filter((each) => !each.startsWith('[')).length
    const most = wanted.some((each) => each.endsWith('…')) ? Infinity : wanted.length
    if (positionals.length >= least && positionals.length <= most) return []
    return [`"signet ${command.name}" takes the arguments "${wanted.join(' ')}", and not "${positionals.join(' ')}"`]
  } catch (error) {
    return [`"signet ${command.name}": ${(error as Error).message.split('. ')[0]}`]
  }
}
