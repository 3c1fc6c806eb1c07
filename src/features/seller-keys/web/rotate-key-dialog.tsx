import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { maxOverlapHours } from '../seller-keys.rules.ts'
import { NewKeySheet } from './seller-keys-form.tsx'
import { type SellerKey, sellerKeyList } from './seller-keys-data.ts'

/** Creates a new secret; the old one can stay valid for a while so that shops can switch. */
export function RotateKeyDialog({ sellerKey, onClose }: { sellerKey: SellerKey; onClose: () => void }) {
  const form = useSaveForm({
    start: { overlapHours: 24 },
    isNew: true,
    toForm: (stored): { overlapHours: number | undefined } => stored,
    toBody: ({ overlapHours }) => ({ overlapHours: overlapHours ?? 0 }),
    send: ({ body, idempotencyKey }) =>
      call('POST /rotate_seller_key', { body: { sellerKey: sellerKey.sellerKey, ...body }, idempotencyKey }),
    failure: t`Failed to update seller key`,
    onSaved: () => sellerKeyList.refresh(),
  })
  if (form.saved) return <NewKeySheet sellerKey={form.saved.sellerKey} onClose={onClose} />
  return (
    <FormDialog
      title={t`Rotate ${sellerKey.keyName}`}
      description={t`The key gets a new secret, shown once. The old one works until the overlap ends.`}
      size="sm"
      submitLabel={t`Rotate`}
      {...form.dialog}
      blockedReason={form.values.overlapHours === undefined ? t`Enter the hours` : undefined}
      onClose={onClose}
    >
      <NumberField
        label={t`Overlap in hours`}
        help={t`0 to 72. With 0, the old key stops working immediately.`}
        min={0}
        max={maxOverlapHours}
        {...form.field('overlapHours')}
      />
    </FormDialog>
  )
}
