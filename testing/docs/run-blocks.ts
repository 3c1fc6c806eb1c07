import { fencesOf } from './fences.ts'

/** Blocks of a page that a test runs, and what each prints. */

export interface RunBlock {
  page: string
  /** Of the fence, from 1. */
  line: number
  language: 'python' | 'ts' | 'sh'
  code: string
  /** What it prints; `…` stands for anything. */
  output: string
  /** What the comment before the block asks for; testing/docs/needs.ts has the list. */
  needs: string[]
}

const needsComment = /^<!-- needs: (?<needs>.+) -->$/

/** Throws if a block that runs has no output after it. */
export function runBlocksOf(page: string, text: string): RunBlock[] {
  const fences = fencesOf(page, text)
  return fences.flatMap(({ line, info, text: code, before }, index) => {
    const language = /^(python|ts|sh) run$/.exec(info)?.[1] as RunBlock['language'] | undefined
    if (!language) return []
    const next = fences[index + 1]
    if (!next?.isNext || !/^\w+ output$/.test(next.info))
      throw new Error(`${page}:${line}: a block that runs is followed at once by a block "text output"`)
    const needs = needsComment.exec(before)?.groups?.['needs']?.split(';') ?? []
    return [{ page, line, language, code, output: next.text, needs: needs.map((need) => need.trim()) }]
  })
}

/** The code and the output with the values of a world in place of `YOUR_OWNER_ID` and the like. */
export function withValues(block: RunBlock, values: ReadonlyMap<string, string>): RunBlock {
  let { code, output } = block
  for (const [placeholder, value] of values) {
    code = code.replaceAll(placeholder, value)
    output = output.replaceAll(placeholder, value)
  }
  const [missing] = /\bYOUR_[A-Z_]+/.exec(code) ?? []
  if (missing) throw new Error(`${block.page}:${block.line}: nothing that the block needs has ${missing}`)
  return { ...block, code, output }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Undefined if a block printed what its page says. */
export function outputProblem({ page, line, output }: RunBlock, printed: string): string | undefined {
  const lines = output.trimEnd().split('\n')
  const pattern = lines.map((each) =>
    // A line of its own stands for any number of lines.
    each.trim() === '…' ? String.raw`(?:.*\n)*` : `${each.split('…').map(escaped).join('.*')}\n`,
  )
  if (new RegExp(`^${pattern.join('')}$`).test(`${printed.trimEnd()}\n`)) return undefined
  return `${page}:${line}: the block prints\n\n${printed}\ninstead of\n\n${output}`
}
