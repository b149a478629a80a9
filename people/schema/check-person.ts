import { failure, success, type Outcome } from 'graphwire'
import type { PersonInput, PersonPatch } from '../store/store.js'
import type { InputFault } from './bad-input.js'
import { checkAge } from './check-number.js'
import { checkAddressPart, checkEmail, checkName } from './check-text.js'

/** A change as it comes in, where null for the name is still possible. */
export interface PatchInput extends Omit<PersonPatch, 'name'> {
  readonly name?: string | null | undefined
}

/** Checks a whole person. */
export function checkPerson(input: PersonInput): readonly InputFault[] {
  return [...checkName(input.name), ...checkRest(input)]
}

/** Checks what is to change of a person. */
export function checkPatch(input: PatchInput): Outcome<PersonPatch, readonly InputFault[]> {
  const faults = [...checkNewName(input.name), ...checkRest(input)]
  return faults.length > 0 ? failure(faults) : success(input as PersonPatch)
}

function checkNewName(name: string | null | undefined): readonly InputFault[] {
  if (name === null) {
    return [{ path: ['name'], message: 'name must not be null: everybody has a name.' }]
  }
  return name === undefined ? [] : checkName(name)
}

function checkRest({ age, email, address }: PatchInput): readonly InputFault[] {
  return [
    ...checkAge(age),
    ...(email == null ? [] : checkEmail(email)),
    ...Object.entries(address ?? {}).flatMap(([part, text]) =>
      text == null ? [] : checkAddressPart(part, text),
    ),
  ]
}
