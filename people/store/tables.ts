import type { ColumnType, Generated } from 'kysely'

/** The tables of both databases. */
export interface Tables {
  readonly persons: PersonsTable
  readonly addresses: AddressesTable
  readonly friendships: FriendshipsTable
  readonly messages: MessagesTable
  readonly api_keys: ApiKeysTable
  readonly key_usage: KeyUsageTable
  readonly logins: LoginsTable
}

interface PersonsTable {
  readonly id: Generated<number>
  readonly name: string
  readonly age: number | null
  readonly email: string | null
  readonly version: Generated<number>
}

interface AddressesTable {
  readonly person_id: number
  readonly street: string | null
  readonly city: string | null
  readonly country: string | null
}

/** A friendship is two rows, one for each side. */
interface FriendshipsTable {
  readonly person_id: number
  readonly friend_id: number
}

/** No foreign key: messages stay when a person is deleted. */
interface MessagesTable {
  readonly id: Generated<number>
  readonly to_id: number
  readonly text: string
  readonly sent_at: string
}

interface ApiKeysTable {
  readonly name: string
  readonly hash: string
  readonly scopes: string
  readonly limit_per_minute: number | null
  readonly created_at: string
  readonly revoked_at: ColumnType<string | null, undefined, string>
}

interface KeyUsageTable {
  readonly key_name: string
  readonly day: string
  readonly used: number
}

interface LoginsTable {
  readonly login: string
  readonly password_hash: string
  readonly scopes: string
  readonly created_at: string
}
