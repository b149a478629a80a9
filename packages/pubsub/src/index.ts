export { PubSubError, type PubSubErrorCode } from './channel/pub-sub-error.js'
export { fromEvent } from './from-event.js'
export { createPubSub } from './pub-sub.js'
export { natsTransport } from './transports/nats.js'
export { queueRows } from './channel/event-queue.js'
export { postgresRows, postgresTransport } from './transports/postgres.js'
export { ioredisTransport, redisTransport } from './transports/redis.js'
export type { Channel } from './channel/channel.js'
export type { Missed } from './channel/missed-events.js'
export type { Overflow, QueueOptions } from './channel/event-queue.js'
export type { Emitter, FromEventOptions, Target } from './from-event.js'
export type { PubSub } from './pub-sub.js'
export type { PubSubOptions, SubscribeOptions } from './pub-sub-options.js'
export type { NatsConnection } from './transports/nats.js'
export type { PostgresOptions } from './transports/postgres.js'
export type { PostgresClient } from './transports/postgres-client.js'
export type {
  IoredisClient,
  IoredisSubscriber,
  RedisClient,
  RedisSubscriber,
} from './transports/redis.js'
export type { Link, Receiver, Transport } from './transports/transport.js'
