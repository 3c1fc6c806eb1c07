import type { CodeEntry } from './code-entry.ts'

/** `sdks/typescript/src/codes.ts`, formatted as oxfmt does. */
export function typescriptCodes(entries: [code: string, entry: CodeEntry][]): string {
  const rows = entries.flatMap(([code, { verdict, message }]) => [
    `  ${code}: {`,
    `    verdict: ${quoted(verdict)},`,
    '    message: {',
    ...Object.entries(message).map(([language, text]) => `      ${language}: ${quoted(text)},`),
    '    },',
    '  },',
  ])
  const lines = [
    '/* oxlint-disable max-lines -- Written by tools/make-client-codes.ts from sdks/codes.json; do not edit. */',
    '',
    '/** What an error says about the license. */',
    "export type Verdict = 'lost' | 'request' | 'temporary' | 'unverified'",
    '',
    '/** Languages of the sentences for customers. */',
    "export type MessageLanguage = 'en' | 'pt' | 'es'",
    '',
    'interface CodeEntry {',
    '  verdict: Verdict',
    '  message: Record<MessageLanguage, string>',
    '}',
    '',
    '/** Verdict and sentences for customers of each code. */',
    'export const codes = {',
    ...rows,
    '} as const satisfies Record<string, CodeEntry>',
    '',
    '/** The codes known to this version. A newer server may send others. */',
    'export type SignetCode = keyof typeof codes',
  ]
  return `${lines.join('\n')}\n`
}

/** Single quotes unless the text contains one. */
const quoted = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`
