import { t } from '@lingui/core/macro'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { scopes } from '../seller-keys.rules.ts'

interface ScopeFieldsProps {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** What the key may do. Nothing ticked is full access, and says so. */
export function ScopeFields({ chosen, onChange }: ScopeFieldsProps) {
  const toggle = (scope: string) =>
    onChange(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope])
  return (
    <fieldset>
      <legend className="mb-2 text-ui font-medium">{t`Permissions`}</legend>
      <div className="grid gap-2 rounded-md border border-line p-3 md:grid-cols-2">
        {scopes.map((scope) => (
          <CheckboxField
            key={scope}
            label={<span className="machine">{scope}</span>}
            checked={chosen.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
      </div>
      <p className={`mt-2 text-meta ${chosen.length === 0 ? 'text-warn' : 'text-text-2'}`}>
        {chosen.length === 0
          ? t`Nothing ticked means full access: the key may do everything in this list.`
          : t`Everything else is refused.`}
      </p>
    </fieldset>
  )
}
