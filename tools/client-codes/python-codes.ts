import type { CodeEntry } from './code-entry.ts'

/** `sdks/python/signet_client/codes.py`. */
export function pythonCodes(entries: [code: string, entry: CodeEntry][]): string {
  const members = entries.map(([code]) => `    ${code} = "${code}"`)
  const verdicts = entries.map(([code, { verdict }]) => `    "${code}": "${verdict}",`)
  const messages = entries.flatMap(([code, { message }]) => [
    `    "${code}": {`,
    ...Object.entries(message).map(([language, text]) => `        "${language}": ${JSON.stringify(text)},`),
    '    },',
  ])
  const lines = [
    '"""Every code of sdks/codes.json. Written by tools/make-client-codes.ts; do not edit."""',
    '',
    'from __future__ import annotations',
    '',
    'from enum import Enum',
    'from typing import Dict',
    '',
    '',
    'class SignetCode(str, Enum):',
    '    """The codes known to this version. A newer server may send others."""',
    '',
    ...members,
    '',
    '    def __str__(self) -> str:',
    '        return self.value',
    '',
    '',
    '#: What an error says about the license: lost, request, temporary, or unverified.',
    'VERDICTS: Dict[str, str] = {',
    ...verdicts,
    '}',
    '',
    '#: Sentences for customers, by code and language.',
    'MESSAGES: Dict[str, Dict[str, str]] = {',
    ...messages,
    '}',
  ]
  return `${lines.join('\n')}\n`
}
