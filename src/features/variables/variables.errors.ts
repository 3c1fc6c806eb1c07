import { selectionErrors } from '#contract/bulk.ts'

export const variablesErrors = {
  VARIABLE_REQUIRED: { status: 400, message: 'Variable name and data are required' },
  VARIABLE_NAME_TOO_LONG: {
    status: 400,
    message: 'The variable name can have at most {max, plural, one {# character} other {# characters}}',
  },
  VARIABLE_NAME_INVALID: { status: 400, message: 'The variable name can only contain visible characters' },
  VARIABLE_DATA_TOO_LONG: {
    status: 400,
    message: 'The variable data can have at most {max, plural, one {# character} other {# characters}}',
  },
  VARIABLE_NOT_FOUND: { status: 404, message: 'Variable not found' },
  VARIABLE_EXISTS: { status: 409, message: 'A variable with this name already exists' },
  VARIABLE_NAME_FIXED: { status: 400, message: 'The variable name cannot be changed' },
  VARIABLE_LIMIT_REACHED: {
    status: 409,
    message: 'A user can have at most {limit, plural, one {# variable} other {# variables}}',
  },
  APP_VARIABLE_LIMIT_REACHED: {
    status: 403,
    message:
      'Your plan allows {limit, plural, one {# variable} other {# variables}} per app. Delete some or change your plan.',
  },
  NO_VARIABLES_SELECTED: { status: 400, message: 'No variables selected' },
  ...selectionErrors,
} as const
