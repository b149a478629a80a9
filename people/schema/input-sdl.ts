/** The inputs of mutations. */
export const inputSdl = `
"A whole person. Absent or null members are unknown."
input CreatePersonInput {
  "1 to 200 characters, not blank."
  name: String!

  "In years: 0 to 150."
  age: Int

  "An email address: text on both sides of a single @, no blanks, at most 254 characters."
  email: String

  "Where the person lives."
  address: AddressInput
}

"The changes to a person. Absent members keep their value, and null clears."
input UpdatePersonInput {
  "1 to 200 characters, not blank. Null is an error, since every person has a name."
  name: String

  "In years: 0 to 150."
  age: Int

  "An email address: text on both sides of a single @, no blanks, at most 254 characters."
  email: String

  "Merged member by member into the current address; null clears it."
  address: AddressInput
}

"Where a person lives. An address without any member counts as absent."
input AddressInput {
  "Street and house number: 1 to 200 characters."
  street: String

  "The city or village: 1 to 200 characters."
  city: String

  "The country: 1 to 200 characters."
  country: String
}
`
