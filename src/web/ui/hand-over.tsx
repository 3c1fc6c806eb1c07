import { plural, t } from '@lingui/core/macro'
import { QrCode as QrCodeIcon, Share2 } from 'lucide-react'
import { useState } from 'react'
import { notify } from '../browser/notify.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { keyMessage, type KeyOffer } from './key-message.ts'
import { SelectField } from './select-field.tsx'

const QrCode = lazyPart(() => import('./qr-code.tsx'), 'QrCode')

/** Closing the system's share sheet rejects too, and is no failure. */
async function share(text: string): Promise<void> {
  try {
    await navigator.share({ text })
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) notify.error(t`Failed to share`)
  }
}

const allKeys = ''

/** Brings keys to a customer: a message to share or copy, and a QR code of one key. */
export function HandOver({ keys, offer }: { keys: readonly string[]; offer: KeyOffer }) {
  const [only = allKeys, another] = keys
  const [chosen, setChosen] = useState(another === undefined ? only : allKeys)
  const [showsCode, setShowsCode] = useState(false)
  const text = keyMessage(chosen === allKeys ? keys : [chosen], offer)
  const count = keys.length
  return (
    <section aria-label={t`For the customer`} className="mt-4 flex flex-col gap-3 pb-1">
      {another !== undefined && (
        <SelectField
          label={t`Key for the customer`}
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
          options={[
            { value: allKeys, label: plural(count, { one: 'All # key', other: 'All # keys' }) },
            ...keys.map((key) => ({ value: key, label: key, isName: true })),
          ]}
        />
      )}
      <textarea
        readOnly
        aria-label={t`Message for the customer`}
        rows={8}
        value={text}
        className="control w-full resize-y px-3 py-2 text-ui break-words text-text"
      />
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        {'share' in navigator && (
          <Button icon={<Share2 />} onClick={() => void share(text)}>
            {t`Share message`}
          </Button>
        )}
        <CopyButton labeled text={text} label={t`Copy message`} />
        <Button
          icon={<QrCodeIcon />}
          aria-expanded={showsCode}
          disabledReason={chosen === allKeys ? t`Choose one key for its QR code` : undefined}
          onClick={() => setShowsCode(!showsCode)}
        >
          {t`QR code`}
        </Button>
      </div>
      {chosen === allKeys && <p className="text-meta text-text-2">{t`Choose one key for its QR code`}</p>}
      {showsCode && chosen !== allKeys && (
        <div className="flex justify-center">
          <QrCode text={chosen} label={t`QR code of ${chosen}`} />
        </div>
      )}
    </section>
  )
}
