import { createApp } from 'vue'
import Playground from '../.vitepress/theme/Playground.vue'
import { run } from './run.mjs'

const place = document.querySelector('.playground-place')
createApp(Playground, { run, small: place.dataset.small !== undefined }).mount(place)
