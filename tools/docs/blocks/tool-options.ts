import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../outdated.ts'

/** What a tool of this repository understands, read from its source: starting it would do its work. */
interface ToolOptions {
  options: Record<string, { type: 'string' | 'boolean'; multiple: true }>
  allowPositionals: boolean
}

const definition = /(?:'([\w-]+)'|\b([a-z]\w*)): (?:\{ type: '(string|boolean)'|text\b)/g

function sourceOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  const beside = [...text.matchAll(/from '(\.\/[\w-]+\.ts)'/g)].map(([, path = '']) => join(dirname(file), path))
  return [text, ...beside.map((path) => readFileSync(join(root, path), 'utf8'))].join('\n')
}

function optionsOf(file: string): ToolOptions {
  const source = sourceOf(file)
  const parsed = [...source.matchAll(definition)].map(
    ([, quoted, plain, type = 'string']) => [quoted ?? plain ?? '', type as 'string' | 'boolean'] as const,
  )
  // Tools with a single switch compare it with the arguments.
  const compared = [...source.matchAll(/'--([a-z][\w-]*)'/g)].map(([, name = '']) => [name, 'boolean'] as const)
  const common = source.includes('readArguments(') ? [['help', 'boolean'] as const] : []
  const options = Object.fromEntries(
    [...common, ...compared, ...parsed].map(([name, type]) => [name, { type, multiple: true }]),
  )
  return {
    options: options as ToolOptions['options'],
    allowPositionals: /allowPositionals: true|argv\.slice\(2\)|readArguments\(\s*usage,[^;]*\btrue,?\s*\)/.test(source),
  }
}

/** Problems of `node FILE ARGS`. */
export function toolProblems(file: string, args: readonly string[]): string[] {
  if (!existsSync(join(root, file))) return [`there is no ${file}`]
  try {
    parseArgs({ args: [...args], ...optionsOf(file) })
    return []
  } catch (error) {
    return [`${file}: ${(error as Error).message.split('. ')[0]}`]
  }
}
