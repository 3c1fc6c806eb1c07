import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { variablesContract } from '../variables.contract.ts'

/** What the calls on variables answer, by code. */
export const variablesTexts: Record<keyof CodesOf<typeof variablesContract>, MessageDescriptor> = {
  VARIABLE_REQUIRED: msg`Variable name and data are required`,
  VARIABLE_NAME_TOO_LONG: msg({
    message: 'The variable name can have at most {max, plural, one {# character} other {# characters}}',
  }),
  VARIABLE_NAME_INVALID: msg`The variable name can only contain visible characters`,
  VARIABLE_DATA_TOO_LONG: msg({
    message: 'The variable data can have at most {max, plural, one {# character} other {# characters}}',
  }),
  VARIABLE_NOT_FOUND: msg`Variable not found`,
  VARIABLE_EXISTS: msg`A variable with this name already exists`,
  VARIABLE_NAME_FIXED: msg`The variable name cannot be changed`,
  VARIABLE_LIMIT_REACHED: msg({
    message: 'A user can have at most {limit, plural, one {# variable} other {# variables}}',
  }),
  APP_VARIABLE_LIMIT_REACHED: msg({
    message:
      'Your plan allows {limit, plural, one {# variable} other {# variables}} per app. Delete some or change your plan.',
  }),
  NO_VARIABLES_SELECTED: msg`No variables selected`,

  VARIABLE_CREATE_OK: msg`Variable created successfully`,
  VARIABLE_UPDATE_OK: msg`Variable updated successfully`,
  VARIABLE_DELETE_OK: msg`Variable deleted successfully`,
  VARIABLES_DELETE_OK: msg({
    message: '{deleted, plural, one {Deleted # variable successfully} other {Deleted # variables successfully}}',
  }),
  VARIABLES_DELETE_ALL_OK: msg`All variables deleted successfully`,
}
