import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { maskAlphabet, maskEntropyBits, maskProblem, maxMaskLength } from '../licenses.rules.ts'

/** A sample key for preview only; the server creates the real keys. */
function sampleKey(mask: string, alphabet: string): string {
  const random = crypto.getRandomValues(new Uint32Array(mask.length))
  return [...mask]
    .map((character, index) => (character === '#' ? alphabet[(random[index] ?? 0) % alphabet.length] : character))
    .join('')
}

/** Three sample keys, and how hard they are to guess. */
export function MaskPreview(spec: Parameters<typeof maskProblem>[0]) {
  const { mask } = spec
  const alphabet = maskAlphabet(spec)
  const shown = mask.slice(0, maxMaskLength)
  const samples = useMemo(() => [0, 1, 2].map((id) => ({ id, key: sampleKey(shown, alphabet) })), [shown, alphabet])
  const characters = [...mask].filter((character) => character === '#').length
  const letters = alphabet.length
  const bits = Math.floor(maskEntropyBits(mask, alphabet))
  const isWeak = maskProblem(spec) !== undefined
  if (mask.trim() === '') return null
  return (
    <div className="flex flex-col gap-1.5 rounded-md border border-line bg-surface-0 px-3 py-2.5">
      <ul aria-label={t`Sample keys`} className="flex flex-col gap-0.5">
        {samples.map(({ id, key }) => (
          <li key={id} className="min-w-0 break-all">
            {key.length > 48 ? (
              <MachineText value={key} />
            ) : (
              <MachineText value={key} shape="groups" className="whitespace-normal!" />
            )}
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-text-2">
        <span translate="no" className="machine">
          {letters}
          <sup>{characters}</sup>
        </span>
        <span>{t`${characters} random characters from ${letters}: ${bits} bits`}</span>
        <Badge tone={isWeak ? 'danger' : 'ok'}>{isWeak ? t`Can be guessed` : t`Can't be guessed`}</Badge>
      </p>
    </div>
  )
}
