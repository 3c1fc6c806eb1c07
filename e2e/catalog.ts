import { readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { compileMessage, type CompiledMessage } from '@lingui/message-utils/compileMessage'
import { languages } from '#contract/language.ts'

/** Recognizes Portuguese texts: those produced by the Portuguese catalog or Intl. */

const po = readFileSync('src/web/locales/pt-BR.po', 'utf8')
const entries = await formatter().parse(po, { locale: 'pt-BR', sourceLocale: 'en', filename: 'pt-BR.po' })
const messages = Object.values(entries).map(({ message = '', translation = '', context }) => ({
  message,
  translation,
  context: context ?? '',
}))

/** The translation of an English text without placeholders, with its context. */
export function pt(message: string, context = ''): string {
  const translation = messages.find((each) => each.message === message && each.context === context)?.translation
  if (!translation) throw new Error(`Not translated: ${message}`)
  return translation
}

const value = '\u0001'
const count = '\u0002'

/** All texts a message may produce, with `value` for a placeholder and `count` for a number. */
function alternatives(message: CompiledMessage): string[] {
  let texts = ['']
  for (const token of message) {
    const next = typeof token === 'string' ? [token === '#' ? count : token] : choices(token[2])
    texts = texts.flatMap((text) => next.map((more) => text + more))
  }
  return texts
}

function choices(format: unknown): string[] {
  if (typeof format !== 'object' || format === null) return [value]
  const cases = Object.entries(format).filter(([name]) => name !== 'offset')
  return cases.flatMap(([, message]) => alternatives(typeof message === 'string' ? [message] : message))
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim()
const letters = /\p{L}/gu
const tag = /<\/?\d+\/?>/

const patternOf = (part: string): RegExp => {
  const literal = part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(value, '(.+?)').replaceAll(count, String.raw`[\d.,]+`)}$`, 'su')
}

const parts = new Set(
  messages
    .flatMap(({ translation }) => alternatives(compileMessage(translation)))
    .flatMap((text) => [text, ...text.split(tag)])
    .map(spaced)
    // `{a}: {b}` would match any text.
    .filter((part) => (part.match(letters)?.length ?? 0) >= 2),
)
const isPlain = (part: string): boolean => !part.includes(value) && !part.includes(count)
const plain = new Set([...parts].filter(isPlain))
const patterns = [...parts].filter((part) => !isPlain(part)).map(patternOf)

/** The words in Portuguese dates, times and durations. */
function intlWords(): Set<string> {
  const texts: string[] = []
  for (let month = 0; month < 12; month++) {
    for (let day = 1; day <= 7; day++) {
      const at = Date.UTC(2026, month, day, 15)
      for (const style of ['short', 'medium', 'long', 'full'] as const) {
        texts.push(
          new Intl.DateTimeFormat('pt-BR', { dateStyle: style, timeStyle: 'short', timeZone: 'UTC' }).format(at),
        )
      }
      const short = {
        weekday: 'short',
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: 'numeric',
        timeZoneName: 'shortOffset',
      } as const
      texts.push(new Intl.DateTimeFormat('pt-BR', short).format(at))
    }
  }
  for (const unit of ['year', 'month', 'week', 'day', 'hour', 'minute', 'second']) {
    for (const amount of [1, 2]) {
      texts.push(new Intl.NumberFormat('pt-BR', { style: 'unit', unit, unitDisplay: 'long' }).format(amount))
    }
  }
  return new Set(texts.flatMap(wordsOf))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
const timeWords = intlWords()
/** Dollar amounts in Portuguese format; with a decimal point, they are English. */
const money = /^US\$ \d{1,3}(\.\d{3})*(,\d\d)?$/

/** Sizes in Portuguese format, versions, and names of server settings. */
const version = /^v\d+(\.\d+)*$/
const size = /^\d{1,3}(\.\d{3})*(,\d+)? (B|KB|MB|GB)$/
const setting = /^[A-Z]+(_[A-Z]+)+$/

/** Names that are the same in every language. */
const names = new Set([
  // This product, and products and services of others.
  'Signet',
  'Discord',
  'Twitter',
  'GitHub',
  'Python',
  'TypeScript',
  'C#',
  'C++',
  'cURL',
  'curl',
  // Browsers and systems in the list of sessions.
  'Chrome',
  'Linux',
  'Windows',
  'macOS',
  // Formats and abbreviations without a Portuguese form.
  'TXT',
  'CSV',
  'JSON',
  'HWID',
  'IP',
  'API',
  'UTC',
  'https://',
  'npm run backup',
  // Labels of keys.
  'Ctrl S',
  // Names of plans.
  'Free',
  'Developer',
  'Pro',
  // Languages are listed under their own names.
  ...languages.map(({ name }) => name),
])

/** Separators in lists and sentences: `a; b`, `a, b`, `a e b`, `a ou b`, `a · b`, `a: b`, and line breaks. */
const joints = ['. ', '; ', '\n', ' · ', ': ', ', ', ' e ', ' ou ']

/** A filter in the sentence of a list, which names it within a line: `período “7 dias” ou “30 dias”`. */
const filter = /^(.+?) “(.+)”$/su
const capitalized = (line: string) => line.charAt(0).toUpperCase() + line.slice(1)

/** Request IDs. */
const requestId = /^sg-[\w-]+$/

/** Whether a text is Portuguese; `data` contains user input and generated keys. */
export function isPortuguese(text: string, data: ReadonlySet<string>, depth = 0): boolean {
  const line = spaced(text)
  if (
    !/\p{L}/u.test(line) ||
    requestId.test(line) ||
    money.test(line) ||
    size.test(line) ||
    version.test(line) ||
    setting.test(line) ||
    data.has(line) ||
    names.has(line) ||
    plain.has(line) ||
    plain.has(capitalized(line))
  )
    return true
  if (wordsOf(line).every((word) => timeWords.has(word))) return true
  if (depth > 4) return false
  const inner = (one: string) => isPortuguese(one, data, depth + 1)
  // The values of placeholders must be Portuguese, too.
  if (patterns.some((pattern) => pattern.exec(line)?.slice(1).every(inner))) return true
  const [, name, values] = filter.exec(line) ?? []
  if (name && values && [name, ...values.split(/”(?:,| ou) “/)].every(inner)) return true
  return joints.some((joint) => text.includes(joint) && text.split(joint).every(inner))
}
