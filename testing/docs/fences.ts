/** Blocks of code of a Markdown page, also those inside list items. */
export interface Fence {
  /** Of the opening line, from 1. */
  line: number
  info: string
  text: string
  /** The last line before the block that isn't empty. */
  before: string
  /** Whether only empty lines stand between the block before and this one. */
  isNext: boolean
}

/** Throws if a block has no end, or if it is written in a way that this function doesn't read. */
export function fencesOf(page: string, text: string): Fence[] {
  const fences: Fence[] = []
  let open: (Fence & { indent: string }) | undefined
  let before = ''
  let isNext = false
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', info] = /^( *)```(.*)$/.exec(line) ?? []
    if (open && info === '' && indent === open.indent) {
      const { indent: _, ...fence } = open
      fences.push(fence)
      open = undefined
      isNext = true
    } else if (open) {
      open.text += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart()}\n`
    } else if (info !== undefined) {
      open = { line: index + 1, info: info.trim(), text: '', before, isNext, indent }
    } else if (/^[\s>]*~~~|^\s*>[\s>]*```/.test(line)) {
      throw new Error(`${page}:${index + 1}: a block of code begins with \`\`\`, and not inside a quotation`)
    } else if (line.trim() !== '') {
      before = line.trim()
      isNext = false
    }
  }
  if (open) throw new Error(`${page}:${open.line}: the block of code has no end`)
  return fences
}
