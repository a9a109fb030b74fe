/** For the host of modules alone; no part of the API of modules, and may change with every release. */
export { SDK_INSTANCE, sdkOf } from './module.js';
export { setExtraFonts } from './drawing/extra-fonts.js';
