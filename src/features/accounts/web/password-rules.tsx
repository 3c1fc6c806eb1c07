import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { leastLength, passwordDemands } from '../accounts.rules.ts'
import { passwordPolicy } from './password-policy.ts'

/** The password rules, checked off while typing. */
export function PasswordRules({ password }: { password: string }) {
  const policy = passwordPolicy()
  const min = leastLength(policy)
  const texts = {
    length: t`At least ${min} characters`,
    uppercase: t`An uppercase letter`,
    lowercase: t`A lowercase letter`,
    number: t`A number`,
  }
  const demands = Object.entries(passwordDemands(password, policy)) as [keyof typeof texts, boolean][]
  const rules = demands.map(([demand, met]) => ({ text: texts[demand], met }))
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
