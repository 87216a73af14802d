// The way to the judge: HTTP. The page that needs no server has another file in the place of this one.

/** Ask for something below the API's address. @param {string} path @param {RequestInit} init */
export const send = (path, init) => fetch(`api/v1/${path}`, init);

/** The news of a job, told by events. @param {string} id */
export const watch = (id) => new EventSource(`api/v1/solve/${id}/events`);

/** Where programs find the API described. */
export const API = "api";

/** The page for a frame on somebody's own page. */
export const EMBED = "embed";
