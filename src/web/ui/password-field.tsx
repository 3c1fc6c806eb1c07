import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'
import { inputStyle } from './text-field.tsx'

export type PasswordFieldProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'type'>

/** With show/hide and a caps lock warning. Paste and password managers work. */
export function PasswordField(props: PasswordFieldProps) {
  const { field, input } = splitFieldProps(props)
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent<HTMLInputElement>) => {
    setCapsLock(event.getModifierState('CapsLock'))
  }
  const help = capsLock ? (
    <span role="status" className="text-warn">
      {t`Caps Lock is on`}
    </span>
  ) : (
    field.help
  )
  return (
    <Field {...field} help={help}>
      {(wiring) => (
        <div className="relative">
          <input
            autoComplete="current-password"
            {...input}
            {...wiring}
            type={shown ? 'text' : 'password'}
            onKeyUp={watchCapsLock}
            onKeyDown={watchCapsLock}
            className={`${inputStyle} pr-10 ${shown ? 'machine' : ''}`}
          />
          <button
            type="button"
            aria-label={shown ? t`Hide password` : t`Show password`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-md text-text-3 pointer-coarse:w-11 hover:text-text"
          >
            {shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
          </button>
        </div>
      )}
    </Field>
  )
}
