import type { UserVariable } from '#features/variables/variables.reads.ts'

interface NameFields {
  variableName?: string
  name?: string
}

/** The name under either of its names; empty when there is none, which the rules refuse. */
export const variableNameOf = (fields: NameFields): string => (fields.variableName ?? fields.name ?? '').trim()

export const variableDataOf = (fields: { variableData?: string; data?: string }): string =>
  fields.variableData ?? fields.data ?? ''

/** A variable as the wire has it, under both names of each field. */
export const variableReply = ({ name, data }: Pick<UserVariable, 'name' | 'data'>) => ({
  name,
  data,
  variableName: name,
  variableData: data,
})
