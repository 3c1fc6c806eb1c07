import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { minPasswordLength } from '../accounts.rules.ts'

/** What the password still lacks, ticked off while it is typed. */
export function PasswordRules({ password }: { password: string }) {
  const rules = [
    { text: t`At least ${minPasswordLength} characters`, met: password.length >= minPasswordLength },
    { text: t`An uppercase letter`, met: /\p{Lu}/u.test(password) },
    { text: t`A lowercase letter`, met: /\p{Ll}/u.test(password) },
    { text: t`A number`, met: /\p{Nd}/u.test(password) },
  ]
  return (
    <span className="grid grid-cols-2 gap-x-3 gap-y-1">
      {rules.map(({ text, met }) => (
        <span key={text} className={`flex items-center gap-1.5 ${met ? 'text-accent-text' : ''}`}>
          {met ? (
            <Check aria-hidden="true" className="size-3.5" />
          ) : (
            <span aria-hidden="true" className="mx-[3px] size-2 rounded-full border border-line-strong" />
          )}
          {text}
          {met && <span className="sr-only"> ({t`met`})</span>}
        </span>
      ))}
    </span>
  )
}
