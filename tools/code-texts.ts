import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallDefinition } from '#contract/define-call.ts'
import type { ErrorDefinitions } from '#contract/errors.ts'

/**
 * What the dashboard says of every code that a reply or a form can show: the English text of the contracts, which stand
 * nowhere else. The catalogues have it for translators (`code-texts-extractor.ts`), the build for the browser
 * (`code-texts-module.ts`), so that no schema gets there.
 */

export interface CodeText {
  code: string
  text: string
}

const src = join(import.meta.dirname, '../src')

/** Every file that says what a code means. */
export const codeTextFiles = (): string[] =>
  ['contract/common-errors.ts', ...globSync('features/*/*.{contract,errors}.ts', { cwd: src }).toSorted()].map((file) =>
    join(src, file),
  )

const ofErrors = (errors: ErrorDefinitions = {}): CodeText[] =>
  Object.entries(errors).map(([code, { message }]) => ({ code, text: message }))

/** Shops and their bots read the reply itself: the dashboard makes none of their calls. */
const ofCall = ({ area, errors, successes = {} }: CallDefinition): CodeText[] =>
  area === 'seller' ? [] : [...ofErrors(errors), ...Object.entries(successes).map(([code, text]) => ({ code, text }))]

/** What a module exports of codes: of a contract its calls, of errors those that every call and every form has. */
export function codeTextsOf(module: Readonly<Record<string, unknown>>): CodeText[] {
  return Object.entries(module).flatMap(([name, value]) => {
    if (name.endsWith('Contract')) return Object.values(value as Record<string, CallDefinition>).flatMap(ofCall)
    return name === 'commonErrors' || name.endsWith('FormErrors') ? ofErrors(value as ErrorDefinitions) : []
  })
}

/** Throws on a code that has no text, or two. */
export function textByCode(texts: readonly CodeText[]): Map<string, string> {
  const byCode = new Map<string, string>()
  for (const { code, text } of texts) {
    if (text.trim() === '') throw new Error(`${code} has no text`)
    const other = byCode.get(code)
    if (other !== undefined && other !== text) throw new Error(`${code} has two texts: "${other}" and "${text}"`)
    byCode.set(code, text)
  }
  return byCode
}

export async function everyCodeText(): Promise<Map<string, string>> {
  const texts: CodeText[] = []
  // One after the other: Lingui's loader gives a module that two import at once half made.
  for (const file of codeTextFiles()) {
    texts.push(...codeTextsOf((await import(pathToFileURL(file).href)) as Record<string, unknown>))
  }
  return textByCode(texts)
}
