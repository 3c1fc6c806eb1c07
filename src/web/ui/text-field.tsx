import type { ComponentProps, ReactNode } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, keyof FieldProps> {
  /** A machine-readable value: key, ID, address, hash. */
  mono?: boolean
  /** Content after the input: a unit, a readable form of the value. */
  suffix?: ReactNode
  /** For short values. */
  short?: boolean
}

export const inputStyle = 'control h-8 w-full min-w-0 px-2.5 text-ui pointer-coarse:h-11 read-only:text-text-2'

export function TextField({ mono = false, short = false, suffix, ...props }: TextFieldProps) {
  const { field, input } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(wiring) => {
        const control = (
          <input
            type="text"
            {...input}
            {...wiring}
            className={`${inputStyle} ${mono ? 'machine' : ''} ${short ? 'max-w-36' : ''}`}
          />
        )
        if (!suffix) return control
        return (
          <div className="flex items-center gap-2.5">
            {control}
            <span className="shrink-0 text-meta text-text-2">{suffix}</span>
          </div>
        )
      }}
    </Field>
  )
}
