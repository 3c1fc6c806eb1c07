import { t } from '@lingui/core/macro'
import { CheckboxField } from '#web/ui/checkbox.tsx'

export interface DeleteFlags {
  deleteUsers: boolean
  refundCredits: boolean
}

interface DeleteOptionsProps {
  flags: DeleteFlags
  onChange: (flags: DeleteFlags) => void
  /** Why an option has nothing to act on; it is then off. */
  noUsers?: string
  noRefund?: string
}

/**
 * Both options stand in every delete dialog (part 1 §9). Refunds concern unused licenses of resellers only, and are
 * not offered until there are resellers: the server would do nothing.
 */
export function DeleteOptions({ flags, onChange, noUsers, noRefund }: DeleteOptionsProps) {
  return (
    <div className="flex flex-col gap-2.5">
      <CheckboxField
        label={t`Also delete users`}
        help={noUsers ?? t`Whoever redeemed them loses their account as well.`}
        disabled={noUsers !== undefined}
        checked={flags.deleteUsers && noUsers === undefined}
        onChange={(event) => onChange({ ...flags, deleteUsers: event.target.checked })}
      />
      <CheckboxField
        label={t`Refund credits`}
        help={noRefund ?? t`There are no resellers yet: nobody has paid for a license with credits.`}
        disabled
        checked={false}
        readOnly
      />
    </div>
  )
}
