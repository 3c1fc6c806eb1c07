import { cloneElement, Fragment, type ReactElement, type ReactNode } from 'react'

// What the macros of Lingui call at run time. The build puts it in the place of @lingui/core and @lingui/react, which
// also compile messages, load data of locales, and format by named styles; a test compares the two.

type Case = 'plural' | 'selectordinal' | 'select'
type Token = string | [name: string, type?: Case, cases?: Record<string, Message>]
type Message = string | readonly Token[]
type Values = Record<string, unknown>
type Messages = Record<string, Message>
interface Descriptor {
  id: string
  message?: Message
  values?: Values
}

const numbers = new Map<string, Intl.NumberFormat>()
const plurals = new Map<string, Intl.PluralRules>()

function made<T>(store: Map<string, T>, key: string, make: () => T): T {
  const known = store.get(key) ?? make()
  store.set(key, known)
  return known
}

const numberText = (locale: string, value: number) =>
  made(numbers, locale, () => new Intl.NumberFormat([locale, 'en'])).format(value)

function pluralForm(locale: string, type: Case, value: number): string {
  const kind = type === 'plural' ? 'cardinal' : 'ordinal'
  return made(plurals, locale + kind, () => new Intl.PluralRules([locale, 'en'], { type: kind })).select(value)
}

/** `#` stands for the number of the plural around it. */
function textOf(message: Message, values: Values, locale: string, counted?: string): string {
  if (typeof message === 'string') return message
  return message.map((token) => tokenText(token, values, locale, counted)).join('')
}

function tokenText(token: Token, values: Values, locale: string, counted?: string): string {
  if (typeof token === 'string') return token === '#' ? (counted ?? token) : token
  const [name, type, cases = {}] = token
  const value = values[name]
  if (!type) return value === undefined || value === null ? '' : String(value)
  const exact = cases[String(value)]
  if (type === 'select') return textOf(exact ?? cases['other'] ?? '', values, locale)
  const count = Number(value)
  const chosen = exact ?? cases[pluralForm(locale, type, count)] ?? cases['other'] ?? ''
  return textOf(chosen, values, locale, numberText(locale, count))
}

let messages: Messages = {}

export const i18n = {
  locale: '',
  loadAndActivate(catalog: { locale: string; messages: Messages }): void {
    i18n.locale = catalog.locale
    messages = catalog.messages
  },
  /** The text in the active language, else the compiled source text. */
  _(id: string | Descriptor, values?: Values, options?: { message?: Message | undefined }): string {
    const found = typeof id === 'string' ? { id, values, message: options?.message } : id
    return textOf(messages[found.id] ?? found.message ?? found.id, found.values ?? {}, i18n.locale)
  },
}

type Elements = Record<string, ReactElement<{ children?: ReactNode }>>

const tag = /<(\w+)>([\s\S]*?)<\/\1>|<(\w+)\/>/

/** Puts the elements in the place of their tags: `<0>text</0>` and `<0/>`. */
function withElements(text: string, elements: Elements): ReactNode {
  const [before, ...parts] = text.split(tag)
  if (parts.length === 0) return text
  const tree: ReactNode[] = [before]
  for (let at = 0; at < parts.length; at += 4) {
    const [paired, inner, single, after] = parts.slice(at, at + 4)
    const element = elements[paired ?? single ?? ''] ?? <Fragment />
    const children = inner ? withElements(inner, elements) : element.props.children
    tree.push(cloneElement(element, { key: at }, children), after)
  }
  return tree
}

interface TransProps extends Descriptor {
  components?: Elements
}

/** Values that are no text become elements with a tag of their own. */
export function Trans({ id, message, values = {}, components = {} }: TransProps): ReactNode {
  const texts = { ...values }
  const elements = { ...components }
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' || typeof value === 'number') continue
    const index = Object.keys(elements).length
    elements[index] = <>{value as ReactNode}</>
    texts[name] = `<${index}/>`
  }
  return withElements(i18n._(id, texts, { message }), elements)
}
