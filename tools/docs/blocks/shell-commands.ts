/** Commands of a shell block, as far as the pages of the documentation use the language. */
export interface Command {
  /** `NAME=value` before the command, or alone on a line. */
  assigned: Record<string, string>
  /** The command and its arguments, without quotation marks. */
  words: string[]
}

interface Parsed {
  commands: Command[]
  /** Variables that the block reads, without those that it assigns. */
  reads: string[]
}

const assignment = /^([A-Za-z_]\w*)=([^]*)$/

export function parseShell(text: string): Parsed {
  const commands: Command[] = []
  const reads = new Set<string>()
  let words: string[] = []
  let word: string | undefined
  let at = 0

  const endWord = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(commandOf(words))
    words = []
  }
  const add = (more: string) => {
    word = (word ?? '') + more
  }
  /** At a `$`: the name of a variable, or a command of its own. */
  const expand = () => {
    if (text[at + 1] === '(') {
      const end = text.indexOf(')', at)
      const inner = parseShell(text.slice(at + 2, end))
      commands.push(...inner.commands)
      for (const name of inner.reads) reads.add(name)
      add(text.slice(at, end + 1))
      at = end + 1
      return
    }
    const [all = '$', name] = /^\$\{?([A-Za-z_]\w*|\?)\}?/.exec(text.slice(at)) ?? []
    if (name !== undefined && name !== '?') reads.add(name)
    add(all)
    at += all.length
  }
  const doubleQuoted = () => {
    add('')
    for (at++; text[at] !== '"';) {
      if (at >= text.length) throw new Error('a quotation mark without its end')
      if (text[at] === '$') expand()
      else {
        if (text[at] === '\\') at++
        add(text[at++] ?? '')
      }
    }
    at++
  }
  const singleQuoted = () => {
    const end = text.indexOf("'", at + 1)
    if (end < 0) throw new Error('a quotation mark without its end')
    add(text.slice(at + 1, end))
    at = end + 1
  }

  while (at < text.length) {
    const rest = text.slice(at)
    const [comment] = /^#.*/.exec(rest) ?? []
    const [redirection] = /^\d?>&?\s*\S+/.exec(rest) ?? []
    if (comment && word === undefined) at += comment.length
    else if (redirection && word === undefined) at += redirection.length
    else if (rest.startsWith('\\\n')) at += 2
    else if (/^(?:\n|;|&&|\|\|?)/.test(rest)) {
      endCommand()
      at += /^(?:&&|\|\|)/.test(rest) ? 2 : 1
    } else if (/^\s/.test(rest)) {
      endWord()
      at++
    } else if (text[at] === '"') doubleQuoted()
    else if (text[at] === "'") singleQuoted()
    else if (text[at] === '$') expand()
    else add(text[at++] ?? '')
  }
  endCommand()
  const own = new Set(commands.flatMap(({ assigned }) => Object.keys(assigned)))
  return { commands, reads: [...reads].filter((name) => !own.has(name)) }
}

/** `export NAME=value` is an assignment too. */
function commandOf([...words]: string[]): Command {
  if (words[0] === 'export') words.shift()
  const assigned: Record<string, string> = {}
  for (let found = assignment.exec(words[0] ?? ''); found; found = assignment.exec(words[0] ?? '')) {
    assigned[found[1] ?? ''] = found[2] ?? ''
    words.shift()
  }
  return { assigned, words }
}
