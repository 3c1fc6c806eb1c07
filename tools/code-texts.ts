import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallDefinition } from '#contract/define-call.ts'
import type { ErrorDefinitions } from '#contract/errors.ts'

/**
 * The texts of all codes that a reply or a form can show: the English texts of the contracts, which exist nowhere else.
 * The catalogs have them for translators (`code-texts-extractor.ts`), and the build for the browser
 * (`code-texts-module.ts`), so that no schema is sent to the browser.
 */

export interface CodeText {
  code: string
  text: string
}

const src = join(import.meta.dirname, '../src')

/** All files that define texts of codes. */
export const codeTextFiles = (): string[] =>
  ['contract/common-errors.ts', ...globSync('features/*/*.{contract,errors}.ts', { cwd: src }).toSorted()].map((file) =>
    join(src, file),
  )

const ofErrors = (errors: ErrorDefinitions = {}): CodeText[] =>
  Object.entries(errors).map(([code, { message }]) => ({ code, text: message }))

/** Texts of a call; none for seller calls, because the dashboard makes none and shops read the reply itself. */
const ofCall = ({ area, errors, successes = {} }: CallDefinition): CodeText[] =>
  area === 'seller' ? [] : [...ofErrors(errors), ...Object.entries(successes).map(([code, text]) => ({ code, text }))]

/**
 * The codes exported by a module: of a contract, those of its calls; of an errors file, those shared by calls and
 * forms.
 */
export function codeTextsOf(module: Readonly<Record<string, unknown>>): CodeText[] {
  return Object.entries(module).flatMap(([name, value]) => {
    if (name.endsWith('Contract')) return Object.values(value as Record<string, CallDefinition>).flatMap(ofCall)
    return name === 'commonErrors' || name.endsWith('FormErrors') ? ofErrors(value as ErrorDefinitions) : []
  })
}

/** Throws if a code has no text, or two. */
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
  // Sequentially: if two imports load a module at once, Lingui's loader returns it half initialized.
  for (const file of codeTextFiles()) {
    texts.push(...codeTextsOf((await import(pathToFileURL(file).href)) as Record<string, unknown>))
  }
  return textByCode(texts)
}
