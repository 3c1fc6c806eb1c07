import { parseArgs } from 'node:util'
import { type Account, accountOf } from './account.ts'
import { type Command, globalOptions, type Option, textOf, type Values } from './command.ts'
import { commands } from './commands.ts'
import type { Environment } from './environment.ts'
import { exitCodes, Failure, usage } from './failures.ts'
import { helpOf, overview } from './help.ts'
import { newApi, version } from './new-api.ts'
import { Output } from './output.ts'
import { configFile, isExposed } from './profiles.ts'

const optionsOf = (options: readonly Option[]) =>
  Object.fromEntries(
    options.map(({ name, value, isList = false }) => [
      name,
      { type: value ? 'string' : 'boolean', multiple: isList } as const,
    ]),
  )

const everyOption = optionsOf([...globalOptions, ...commands.flatMap(({ options = [] }) => options)])

/** The words of the arguments, which name the command wherever options stand. */
const wordsOf = (args: readonly string[]): string[] =>
  parseArgs({ args: [...args], options: everyOption, allowPositionals: true, strict: false }).positionals

const isNoun = (word: string): boolean => commands.some(({ name }) => name.startsWith(`${word} `))

function find(words: readonly string[]): Command | undefined {
  const [noun = '', verb = ''] = words
  return commands.find(({ name }) => name === `${noun} ${verb}`) ?? commands.find(({ name }) => name === noun)
}

function parse(command: Command, args: readonly string[]): { args: string[]; values: Values } {
  const options = optionsOf([...globalOptions, ...(command.options ?? [])])
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { args: positionals.slice(command.name.split(' ').length), values: values as Values }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [, option] = /(--?[a-z][\w-]*)/.exec(error.message) ?? []
    const isUnknown = 'code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
    const problem = isUnknown ? `has no option ${option ?? ''}` : `can't take ${option ?? 'an option'} like this`
    throw usage(`"signet ${command.name}" ${problem.trim()}. See: signet help ${command.name}`)
  }
}

/** Arguments are not repeated: one could be a key. */
function checkArgs({ name, args: wanted = [] }: Command, args: readonly string[]): void {
  const least = wanted.filter((each) => !each.startsWith('[')).length
  const most = wanted.some((each) => each.endsWith('…')) ? Infinity : wanted.length
  if (args.length < least) throw usage(`${wanted[args.length]} is missing. See: signet help ${name}`)
  if (args.length > most) throw usage(`"signet ${name}" takes ${most || 'no'} argument${most === 1 ? '' : 's'}`)
}

function help(words: readonly string[], output: Output): void {
  const [noun = ''] = words
  const command = find(words)
  if (command) return output.line(helpOf(command))
  if (isNoun(noun)) return output.line(overview(commands.filter(({ name }) => name.startsWith(`${noun} `))))
  if (noun !== '') throw usage('There is no such command. See: signet help')
  output.line(overview(commands))
}

async function run(environment: Environment, output: Output): Promise<void> {
  const { args, variables } = environment
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) return output.line(version)
  const words = wordsOf(args)
  const wantsHelp = args.includes('--help') || args.includes('-h')
  if (words[0] === 'help') return help(words.slice(1), output)
  if (wantsHelp) return help(words, output)
  if (words.length === 0) throw usage(args.length === 0 ? overview(commands) : 'No command. See: signet help')
  const [noun = ''] = words
  // `signet settings` shows them.
  const command = find(words) ?? (words.length === 1 && noun === 'settings' ? find(['settings', 'get']) : undefined)
  if (!command) throw usage(isNoun(noun) ? `See: signet help ${noun}` : 'There is no such command. See: signet help')
  const { args: rest, values } = parse(command, args)
  checkArgs(command, rest)
  if (isExposed(variables)) output.problem(`${configFile(variables)} can be read by others. Run: chmod 600 on it`)
  let found: Account | undefined
  const account = () => {
    found ??= accountOf(variables, {
      url: textOf(values, 'url'),
      profile: textOf(values, 'profile'),
      allowHttp: values['allow-http'] === true,
    })
    output.conceal(found.key)
    return found
  }
  await command.run({ environment, output, args: rest, values, account, api: () => newApi(account(), values, output) })
}

/** Such as for a success that lacks what every server sends. */
const unexpected = (error: unknown): Failure =>
  new Failure(
    'unavailable',
    `This is no answer that the command knows. Do its version and the server's belong together? (${(error as Error).message})`,
  )

/** The exit code. */
export async function main(environment: Environment): Promise<number> {
  const output = new Output(environment, { isJson: environment.args.includes('--json') })
  const key = environment.variables['SIGNET_KEY']?.trim()
  if (key) output.conceal(key)
  try {
    await run(environment, output)
    return exitCodes.done
  } catch (error) {
    const failure = error instanceof Failure ? error : unexpected(error)
    if (output.isJson && failure.reply) output.json(failure.reply)
    output.problem(failure.message)
    return failure.exitCode
  }
}
