import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fence, fencesOf } from '#testing/docs/fences.ts'
import { root } from '../../outdated.ts'

export interface Block extends Fence {
  page: string
  /** The first word after the opening marks. */
  language: string
  /** `page:line`, for reports. */
  place: string
  /** The block before it on its page. */
  previous: Block | undefined
}

/** What is wrong with a block, in words; empty if it is up to date. */
export type Check = (block: Block) => string[]

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** CHANGELOG.md tells what was true then. */
export const pages: readonly string[] = globSync(['docs/**/*.md', 'sdks/*/README.md', 'src/web/README.md', '*.md'], {
  cwd: root,
  exclude: ['CHANGELOG.md'],
}).toSorted()

export function blocksOf(page: string, text = textOf(page)): Block[] {
  let previous: Block | undefined
  return fencesOf(page, text).map((fence) => {
    const [language = ''] = fence.info.split(' ')
    previous = { ...fence, page, language, place: `${page}:${fence.line}`, previous }
    return previous
  })
}
