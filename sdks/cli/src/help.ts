import { type Command, globalOptions, type Option } from './command.ts'

const rows = (entries: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}

const usageOf = ({ name, args = [] }: Command): string => ['signet', name, ...args].join(' ')

const optionRows = (options: readonly Option[]): string =>
  rows(options.map(({ name, value, summary }) => [`--${name}${value ? ` ${value}` : ''}`, summary]))

/** Of all commands, or of those of one noun. */
export function overview(commands: readonly Command[]): string {
  const entries = commands.map((each) => [[each.name, ...(each.args ?? [])].join(' '), each.summary] as const)
  return `Usage: signet COMMAND [OPTIONS]

${rows(entries)}

Options of every command:
${optionRows(globalOptions)}

Sign in with "signet login", or set SIGNET_URL and SIGNET_KEY.
"signet help COMMAND" shows the options of a command.
Exit codes: 0 done, 1 rejected, 2 wrong usage, 3 no connection, 4 not signed in.`
}

export function helpOf(command: Command): string {
  const { summary, options = [], more } = command
  return `${[
    `Usage: ${usageOf(command)}${options.length > 0 ? ' [OPTIONS]' : ''}`,
    `${summary}.`,
    ...(options.length > 0 ? [optionRows(options)] : []),
    ...(more ? [more] : []),
    `Options of every command:\n${optionRows(globalOptions)}`,
  ].join('\n\n')}`
}
