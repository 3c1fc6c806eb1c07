import { callsOnLicense, callsOnUser, durationCalls, type SellerRemedies } from './seller-calls.ts'

/** Licenses, users, levels, and variables in the seller API. */
export const sellerObjects = {
  LICENSE_NOT_FOUND: {
    calls: callsOnLicense,
    cause:
      'The app of your seller key has no license with this key. It was deleted, belongs to another app, or was mistyped.',
    remedy:
      'Search for the key with `GET /licenses?search=…` or on **Licenses**. Encode the key in the path. Each app needs a seller key of its own.',
  },
  LICENSE_LIMIT_REACHED: {
    calls: ['createLicenses'],
    cause: 'The app would have more licenses than your plan allows. No license was created.',
    remedy:
      'Delete licenses that you no longer need on **Licenses**, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
  LICENSE_NEVER_ENDS: {
    calls: ['addTimeLicense'],
    cause: 'The license is a lifetime license, so it cannot get more time.',
    remedy: 'There is nothing to add. To give it an end, set `expiry` in seconds with `PUT /licenses/{license}`.',
  },
  KEYS_EXHAUSTED: {
    calls: ['createLicenses'],
    cause: 'Almost all keys that the mask can make exist already. No license was created.',
    remedy: 'Use a longer mask, such as `####-####-####-####`, or also lower case letters.',
  },
  LEVEL_TAKEN_BY_USER: {
    calls: ['editLicense'],
    cause: 'The user who redeemed the license already has the new subscription level from elsewhere.',
    remedy:
      'Remove the other subscription on **Users** first, or extend it instead of moving the license to its level.',
  },
  AMOUNT_INVALID: {
    calls: ['createLicenses'],
    cause: '`amount` is not a whole number from 1 to 1,000.',
    remedy:
      'Send a number in that range. For more licenses, make several calls, each with an `Idempotency-Key` of its own.',
  },
  MASK_REQUIRED: {
    calls: ['createLicenses'],
    cause: '`mask` is empty.',
    remedy:
      'Leave the field out to get `####-####-####-####`, or send a mask of your own. Each `#` becomes a random character.',
  },
  MASK_TOO_LONG: {
    calls: ['createLicenses'],
    cause: '`mask` has more characters than a license key can have.',
    remedy: 'Shorten it. 16 places with `#` are plenty.',
  },
  MASK_CHARACTERS: {
    calls: ['createLicenses'],
    cause: '`mask` contains spaces, or characters other than printable ASCII.',
    remedy: 'Use letters, digits, and signs such as `-`, and `#` for each random character.',
  },
  MASK_GUESSABLE: {
    calls: ['createLicenses'],
    cause:
      '`mask` has so few `#` that somebody could guess the keys. How many it needs depends on the number of licenses and on the letters that you allow.',
    remedy: 'Use at least as many `#` as the message says, or allow upper and lower case letters.',
  },
  SUBSCRIPTION_REQUIRED: {
    calls: ['createLicenses', 'editLicense', 'addUserSubscription', 'extendUser', 'subtractUser'],
    cause: 'The call needs a subscription level, and `level` is missing or not a number from 1 to 1,000,000.',
    remedy: 'Send the number of the level. `GET /subscriptions` lists all levels of the app.',
  },
  SUBSCRIPTION_NOT_FOUND: {
    calls: [
      'createLicenses',
      'editLicense',
      'addUserSubscription',
      'extendUser',
      'editSubscription',
      'deleteSubscription',
    ],
    cause: 'The app of your seller key has no subscription level with this number.',
    remedy:
      'List the levels with `GET /subscriptions`, or create the level with `POST /subscriptions` or on **Subscriptions**.',
  },
  DURATION_REQUIRED: {
    calls: durationCalls,
    cause: '`duration` is missing, or is not a whole number from 1.',
    remedy:
      'Send how many units you mean, such as `"duration": 30, "unit": "days"`. A lifetime license needs only `"expiryUnit": "lifetime"`.',
  },
  DURATION_TOO_LONG: {
    calls: durationCalls,
    cause: '`duration` and its unit are longer than 1,000 years.',
    remedy: 'Send less, or create a lifetime license with `"expiryUnit": "lifetime"`.',
  },
  TIME_UNIT_REQUIRED: {
    calls: durationCalls,
    cause: 'The unit of time is missing or unknown. Time cannot be added in lifetimes.',
    remedy: 'Send `seconds`, `minutes`, `hours`, `days`, `weeks`, `months` (30 days), or `years` (365 days).',
  },
  USERNAME_REQUIRED: {
    calls: ['createUser', ...callsOnUser],
    cause: 'The username is empty, or is not a text.',
    remedy: 'Send the name in the field `username`, or in the path of a call on one user.',
  },
  USERNAME_INVALID: {
    calls: ['createUser'],
    cause:
      'The username has fewer than 3 or more than 64 characters, invisible characters, or spaces at its ends or in a row.',
    remedy: 'Remove spaces around the name before you send it, and let the buyer choose another name.',
  },
  USERNAME_TAKEN: {
    calls: ['createUser'],
    cause: 'The app already has a user with this name, in upper or lower case.',
    remedy:
      'Choose another name. For a returning buyer, add a subscription to the existing user with `POST /users/{username}/subscriptions`.',
  },
  USER_NOT_FOUND: {
    calls: callsOnUser,
    cause: 'The app of your seller key has no user with this name. The user was deleted, or has a name in another app.',
    remedy:
      'Search with `GET /users?search=…` or on **Users**. A customer who only has a license key has the key as the name.',
  },
  USER_LIMIT_REACHED: {
    calls: ['createUser'],
    cause: 'The app has as many users as your plan allows.',
    remedy:
      'Delete users whom you no longer need on **Users**, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
  PASSWORD_REQUIRED: {
    calls: ['createUser', 'editUser'],
    cause: 'The password is empty, or is not a text.',
    remedy: 'Send a password. To keep the password of an existing user, leave the field out.',
  },
  PASSWORD_TOO_SHORT: {
    calls: ['createUser', 'editUser'],
    cause: 'The password is shorter than the message says.',
    remedy: 'Let the buyer choose a longer password, or generate one.',
  },
  PASSWORD_TOO_LONG: {
    calls: ['createUser', 'editUser'],
    cause: 'The password is longer than the message says.',
    remedy: 'Use a shorter password. Do not send a hash: the server hashes the password itself.',
  },
  EMAIL_INVALID: {
    calls: ['createUser', 'editUser'],
    cause: 'The email address is not one that mail can be sent to.',
    remedy: 'Correct the address or leave the field out: it is optional.',
  },
  HWID_TOO_SHORT: {
    calls: ['editUser'],
    cause: "`hwid` is shorter than the app's minimum length.",
    remedy:
      'Send the hardware ID as the program does, or an empty text to unbind the machine. `POST /users/{username}/reset-hwid` does the same.',
  },
  USER_SUBSCRIPTION_NOT_FOUND: {
    calls: ['extendUser', 'subtractUser'],
    cause: 'The user does not have this subscription level, so there is no time to change.',
    remedy:
      'Add the subscription with `POST /users/{username}/subscriptions`. `GET /users/{username}` lists what the user has.',
  },
  USER_SUBSCRIPTION_TAKEN: {
    calls: ['addUserSubscription'],
    cause: 'The user already has this subscription level, and it is still running.',
    remedy: 'Add time with `POST /users/{username}/extend` instead.',
  },
  SUBSCRIPTION_EXPIRED: {
    calls: ['extendUser', 'subtractUser'],
    cause: "The user's subscription has ended, so its time is not changed by default.",
    remedy:
      'Send `"extendExpired": true` to extend it from now on, or start it again with `POST /users/{username}/subscriptions`. Nothing can be subtracted from an ended subscription.',
  },
  SUBSCRIPTION_NEVER_ENDS: {
    calls: ['extendUser', 'subtractUser'],
    cause: 'The user has this subscription for a lifetime, so it has no time to add to or subtract from.',
    remedy: 'There is nothing to add. To give it an end, edit the subscription of the user on **Users**.',
  },
  GRANT_DAYS_RANGE: {
    calls: ['addUserSubscription'],
    cause: '`duration` is not a whole number of days from 1 to 3,650.',
    remedy: 'Send a number in that range, or leave the field out for 30 days. For more, extend the user afterwards.',
  },
  SUBSCRIPTION_NAME_REQUIRED: {
    calls: ['createSubscription', 'editSubscription'],
    cause: 'The name of the subscription level is missing or empty.',
    remedy: 'Send a `name` with at least one visible character.',
  },
  SUBSCRIPTION_NAME_CHARACTERS: {
    calls: ['createSubscription', 'editSubscription'],
    cause: 'The name of the subscription level contains invisible characters, such as line ends or zero-width spaces.',
    remedy: 'Remove them. They often come with text that was copied from a page or a document.',
  },
  SUBSCRIPTION_LEVEL_TAKEN: {
    calls: ['createSubscription'],
    cause: 'The app already has a subscription level with this number, or no number above the highest level is left.',
    remedy:
      'Leave `level` out to get the next free number, or choose another one. `GET /subscriptions` lists the levels.',
  },
  SUBSCRIPTION_IN_USE: {
    calls: ['deleteSubscription'],
    cause: 'Licenses or users have this subscription level. The reply says how many.',
    remedy:
      'To delete it anyway, send `?forceDelete=true`: its licenses are deleted, and its users lose the level. To stop sales and sign-ins for a while, pause the level instead.',
  },
  NOTHING_TO_CHANGE: {
    calls: ['editSubscription'],
    cause: 'The request has neither `name` nor `active`, so there is nothing to change.',
    remedy: 'Send at least one of them. The number of a level never changes.',
  },
  VARIABLE_NOT_FOUND: {
    calls: ['getVariable', 'deleteVariable', 'getAppVariable', 'deleteAppVariable'],
    cause: 'The user, or the app, has no variable with this name. Upper and lower case count.',
    remedy:
      'List the variables with `GET /users/{username}/variables` or `GET /variables`, or create this one with `PUT`.',
  },
  VARIABLE_REQUIRED: {
    calls: ['setVariable', 'setAppVariable'],
    cause: 'The name or the data of the variable is empty.',
    remedy: 'Send both. To remove a variable, use `DELETE`.',
  },
  VARIABLE_NAME_INVALID: {
    calls: ['setVariable', 'setAppVariable'],
    cause: "The variable's name contains invisible characters, or is `__proto__`.",
    remedy: 'Use visible characters, and encode the name in the path.',
  },
  VARIABLE_NAME_TOO_LONG: {
    calls: ['setVariable', 'setAppVariable'],
    cause: "The variable's name is longer than the message says.",
    remedy: 'Use a shorter name, and put the rest into `data`.',
  },
  VARIABLE_DATA_TOO_LONG: {
    calls: ['setVariable', 'setAppVariable'],
    cause: "The variable's data is longer than the message says.",
    remedy: 'Store less, or divide the data among several variables.',
  },
  VARIABLE_LIMIT_REACHED: {
    calls: ['setVariable'],
    cause: 'The user has as many variables as a user can have. Existing ones can still be changed.',
    remedy: 'Delete variables that you no longer need, or put several values into one, for example as JSON.',
  },
} as const satisfies SellerRemedies
