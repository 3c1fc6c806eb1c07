/** Pages of the documentation: Markdown that reads well on the site and on GitHub. */

interface PageHead {
  title: string
  /** One sentence. */
  description: string
}

export const page = ({ title, description }: PageHead, body: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n\n${body.trim()}\n`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** The first sentence, without marks of Markdown. */
export const firstSentence = (markdown: string): string =>
  (/^.*?[.!?](?=\s|$)/s.exec(markdown)?.[0] ?? markdown)
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')

/** Braces and angle brackets are marks in some Markdown dialects, so texts with them are shown as code. */
export const exactText = (text: string): string => (/[{<]/.test(text) ? `\`${text}\`` : text)

/** `1,000`, in every language of the machine. */
export const number = (value: number): string => value.toLocaleString('en-US')
