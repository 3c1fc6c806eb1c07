import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { maxOverlapHours } from '../seller-keys.rules.ts'
import { NewKeySheet } from './new-key-sheet.tsx'
import { refreshSellerKeys, type SellerKey } from './seller-key-list.ts'

/** A new secret; the old one may go on for a while so that a shop can change over. */
export function RotateKeyDialog({ sellerKey, onClose }: { sellerKey: SellerKey; onClose: () => void }) {
  const [hours, setHours] = useState<number | undefined>(24)
  const [attempt] = useState(() => crypto.randomUUID())
  const rotate = useMutation({
    mutationFn: () =>
      call('POST /rotate_seller_key', {
        body: { sellerKey: sellerKey.sellerKey, overlapHours: hours ?? 0 },
        idempotencyKey: attempt,
      }),
    onSuccess: () => refreshSellerKeys(),
  })
  if (rotate.data) return <NewKeySheet sellerKey={rotate.data.sellerKey} onClose={onClose} />
  return (
    <FormDialog
      title={t`Rotate ${sellerKey.keyName}`}
      description={t`The key gets a new secret, shown once. The old one works until the overlap ends.`}
      size="sm"
      submitLabel={t`Rotate`}
      busy={rotate.isPending}
      error={rotate.error ? failureText(rotate.error, t`Failed to update seller key`) : undefined}
      submitDisabled={hours === undefined}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <NumberField
        label={t`Overlap in hours`}
        help={t`0 to 72. With 0 the old key is refused at once.`}
        min={0}
        max={maxOverlapHours}
        value={hours}
        onChange={setHours}
      />
    </FormDialog>
  )
}
