import type { ComponentProps } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, keyof FieldProps> {
  mono?: boolean
}

export function TextArea({ mono = false, ...props }: TextAreaProps) {
  const { field, input } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(wiring) => (
        <textarea
          rows={4}
          {...input}
          {...wiring}
          className={`control w-full min-w-0 resize-y px-2.5 py-1.5 text-ui ${mono ? 'machine' : ''}`}
        />
      )}
    </Field>
  )
}
