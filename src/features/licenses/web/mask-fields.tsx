import { t } from '@lingui/core/macro'
import type { SaveForm } from '#web/form/save-form.ts'
import { SwitchRow } from '#web/ui/switch-row.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { MaskPreview } from './mask-preview.tsx'

interface KeyShape {
  /** How many keys there will be: the mask must give as many. */
  amount: number
  mask: string
  uppercase: boolean
  lowercase: boolean
}

type Letters = Omit<KeyShape, 'amount'>

/** How new keys look: the mask with sample keys, and the letters that they may have. */
export function MaskFields({ form }: { form: Pick<SaveForm<KeyShape, Letters, unknown>, 'body' | 'field'> }) {
  const uppercase = form.field('uppercase')
  const lowercase = form.field('lowercase')
  return (
    <>
      <TextField
        label={t`License mask`}
        mono
        required
        autoComplete="off"
        spellCheck={false}
        help={t`Each # becomes a random character; everything else stays as it is.`}
        {...form.field('mask')}
      />
      <MaskPreview {...form.body} />
      <SwitchRow label={t`Uppercase letters`} checked={uppercase.value} onChange={uppercase.onChange} />
      <SwitchRow label={t`Lowercase letters`} checked={lowercase.value} onChange={lowercase.onChange} />
    </>
  )
}
