import { t } from '@lingui/core/macro'
import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'
import { stepped } from './stepped.ts'
import { numberText, typedNumber } from './typed-number.ts'

export interface NumberFieldProps extends FieldProps {
  /** `undefined` while the field is empty. */
  value: number | undefined
  /** An unreadable text is no value; the field says so itself. */
  onChange: (value: number | undefined, isReadable: boolean) => void
  min?: number
  max?: number
  step?: number
  disabled?: boolean
  name?: string
  id?: string
  onBlur?: () => void
  /** Content after the field: a unit or a readable form, e.g. "1 hour". */
  suffix?: ReactNode
}

/** The height of a label: aligns with the input even if an error is shown below it. */
export const besideInput = 'mt-[calc(var(--text-ui--line-height)+6px)]'

/** A text field: those of type `number` drop a decimal comma in some languages, and join the digits beside it. */
export function NumberField({ suffix, ...props }: NumberFieldProps) {
  const { field, input } = splitFieldProps(props)
  const { value, onChange, min, max, step = 1, disabled, onBlur, name } = input
  const [text, setText] = useState('')
  const language = document.documentElement.lang || 'en'
  const isWhole = Number.isInteger(step)
  const read = (each: string) => typedNumber(each, language, { isWhole })
  const typed = read(text)
  const isShown = typed.value === value
  const isWrong = isShown && !typed.isReadable && !disabled
  const move = (by: number) => {
    setText('')
    onChange(stepped(value, by, min, max), true)
  }
  const isLowest = value !== undefined && min !== undefined && value <= min
  const isHighest = value !== undefined && max !== undefined && value >= max
  // The other keyboards of iPhones have no minus sign.
  const keyboard = min !== undefined && min < 0 ? 'text' : isWhole ? 'numeric' : 'decimal'
  const unreadable = isWhole
    ? t`Enter a number like 2500`
    : t`Enter a number like 2500 or 2.5, without thousands separators`
  const error = isWrong ? unreadable : field.error
  return (
    <Field {...field} error={error}>
      {(wiring) => (
        <div className="flex items-center gap-2.5">
          <div className="control flex h-8 w-36 overflow-hidden pointer-coarse:w-44 outline-offset-2 outline-focus has-[input:focus-visible]:outline-2 has-[[aria-invalid=true]]:border-danger has-[[aria-invalid=true]]:outline-danger pointer-coarse:h-11">
            <input
              {...wiring}
              role="spinbutton"
              autoComplete="off"
              inputMode={keyboard}
              name={name}
              aria-valuemin={min}
              aria-valuemax={max}
              aria-valuenow={value}
              disabled={disabled}
              onBlur={onBlur}
              value={isShown ? text : numberText(value, language)}
              onChange={({ target }) => {
                const next = read(target.value)
                setText(target.value)
                onChange(next.value, next.isReadable)
              }}
              onKeyDown={(event) => {
                const by = isPlain(event) ? { ArrowUp: step, ArrowDown: -step }[event.key] : undefined
                if (by === undefined) return
                event.preventDefault()
                move(by)
              }}
              className="machine w-full min-w-0 rounded-md outline-none bg-transparent px-2.5 disabled:opacity-55"
            />
            <StepButton
              label={t`Decrease ${field.label}`}
              by={-step}
              isAtLimit={isLowest}
              disabled={disabled}
              move={move}
            >
              <Minus className="size-3.5" />
            </StepButton>
            <StepButton
              label={t`Increase ${field.label}`}
              by={step}
              isAtLimit={isHighest}
              disabled={disabled}
              move={move}
            >
              <Plus className="size-3.5" />
            </StepButton>
          </div>
          {suffix && <span className="text-ui text-text-2">{suffix}</span>}
        </div>
      )}
    </Field>
  )
}

const isPlain = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => !altKey && !ctrlKey && !metaKey && !shiftKey

interface StepButtonProps {
  label: string
  by: number
  isAtLimit: boolean
  disabled: boolean | undefined
  move: (by: number) => void
  children: ReactNode
}

/** At the limit that its own click has reached, it only looks disabled, and keeps the focus. */
const StepButton = ({ label, by, isAtLimit, disabled, move, children }: StepButtonProps) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={label}
    disabled={disabled}
    aria-disabled={isAtLimit || undefined}
    onClick={() => !isAtLimit && move(by)}
    className="flex w-8 shrink-0 items-center justify-center border-l border-line text-text-2 hover:bg-surface-2 hover:text-text disabled:opacity-40 aria-disabled:opacity-40 pointer-coarse:w-11"
  >
    {children}
  </button>
)
