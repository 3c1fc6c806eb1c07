import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow, type CompiledMessage } from '@lingui/message-utils/compileMessage'

/** Finds problems in the message catalog of a language. */

export interface Entry {
  message: string
  translation: string
}

/** The entries of a catalog by ID. */
export async function entriesOf(po: string, locale: string): Promise<Map<string, Entry>> {
  const parsed = await formatter().parse(po, { locale, sourceLocale: 'en', filename: `${locale}.po` })
  return new Map(
    Object.entries(parsed)
      .filter(([, { obsolete }]) => !obsolete)
      .map(([id, { message = '', translation = '' }]) => [id, { message, translation }]),
  )
}

/** Missing, superfluous and invalid entries of a catalog; `now` has the messages of the source. */
export function catalogProblems(
  locale: string,
  known: ReadonlyMap<string, Entry>,
  now: ReadonlyMap<string, Entry>,
): string[] {
  const problems: string[] = []
  for (const [id, { message }] of now) if (!known.has(id)) problems.push(`not in the catalog: ${message}`)
  for (const [id, { message }] of known) if (!now.has(id)) problems.push(`no longer used: ${message}`)
  for (const entry of now.values()) {
    const problem = locale === 'en' ? shapeProblem(locale, entry.message) : translationProblem(locale, entry)
    if (problem) problems.push(`${problem}: ${entry.message}`)
  }
  return problems.map((problem) => `${locale}: ${problem}`)
}

function translationProblem(locale: string, { message, translation }: Entry): string | undefined {
  if (translation.trim() === '') return 'not translated'
  const wrong = shapeProblem(locale, translation)
  if (wrong) return wrong
  const [source, translated] = [shapeOf(message), shapeOf(translation)]
  const missing = [...source.parts].filter((part) => !translated.parts.has(part))
  const added = [...translated.parts].filter((part) => !source.parts.has(part))
  if (missing.length > 0) return `${missing.join(', ')} is missing in the translation`
  if (added.length > 0) return `${added.join(', ')} is only in the translation`
  return undefined
}

/** The problem of a text that cannot be formatted in its language. */
function shapeProblem(locale: string, text: string): string | undefined {
  let shape: Shape
  try {
    shape = shapeOf(text)
  } catch (error) {
    return `not a message (${(error as Error).message.split('\n', 1)[0]})`
  }
  const categories = new Set<string>(new Intl.PluralRules(locale).resolvedOptions().pluralCategories)
  const unknown = [...shape.pluralCases].find((name) => !categories.has(name) && !/^\d+$/.test(name))
  if (unknown) return `"${unknown}" is no plural of this language`
  return shape.hasEveryOther ? undefined : 'a choice without "other"'
}

interface Shape {
  /** Placeholders with their kind, tags, and the cases of a `select`. */
  parts: Set<string>
  pluralCases: Set<string>
  hasEveryOther: boolean
}

function shapeOf(text: string): Shape {
  const shape: Shape = { parts: new Set(), pluralCases: new Set(), hasEveryOther: true }
  addParts(shape, compileMessageOrThrow(text))
  return shape
}

function addParts(shape: Shape, tokens: CompiledMessage): void {
  for (const token of typeof tokens === 'string' ? [tokens] : tokens) {
    if (typeof token === 'string') {
      for (const [tag] of token.matchAll(/<\/?\w+\/?>/g)) shape.parts.add(tag)
      continue
    }
    const [name, kind, cases] = token
    shape.parts.add(kind ? `{${name}, ${kind}}` : `{${name}}`)
    if (typeof cases !== 'object' || cases === null || kind === undefined) continue
    const named = Object.entries(cases as Record<string, CompiledMessage>).filter(([each]) => each !== 'offset')
    shape.hasEveryOther &&= named.some(([each]) => each === 'other')
    for (const [each, inner] of named) {
      if (kind === 'select') shape.parts.add(`{${name}, select, ${each}}`)
      else shape.pluralCases.add(each)
      addParts(shape, inner)
    }
  }
}
