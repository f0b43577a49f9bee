/* Every limit on what an untrusted file can make large; exceeding one is a coverage reason.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#define LIMIT_FILE_BYTES (4u * 1024 * 1024) /* larger files are not assessed */
#define LIMIT_REPORT_BYTES (1024u * 1024 * 1024) /* larger reports are not verified */
#define LIMIT_FILES 200000u                 /* entries listed in one repository */
#define LIMIT_NODES 400000u                 /* nodes of one file's trees together */
#define LIMIT_DEPTH 128u                    /* nesting of one tree */
#define LIMIT_DOCUMENTS 10000u              /* documents of one YAML stream */
#define LIMIT_ALIAS_VISITS 200000u          /* nodes visited when aliases are expanded */
#define LIMIT_SHORT_VISITS 8192u            /* the same for the shortest document */
#define LIMIT_RANGE_PORTS 1024u             /* ports of one range listed one by one */
#define LIMIT_PORTS 16384u                  /* ports of one project listed one by one */
#define LIMIT_INCLUDE_DEPTH 16u             /* extends, include and FROM chains */
#define LIMIT_OVERLAID 4000u                /* objects that kustomize overlays make of shared ones */
#define LIMIT_JOINED 64u                    /* other objects joined to one pod */
#define LIMIT_COMPARED 48000000ul           /* steps of comparing a tree's cluster objects with its pods */
#define LIMIT_RIGHTS 300u                   /* rights listed for one role or row */
#define LIMIT_MADE_KEYS 256u                /* settings or steps of a resource that a pod is made of */
#define LIMIT_PROBLEMS 200u                 /* problem rows kept for one file */
#define LIMIT_SCALAR_SHOWN 4096u            /* bytes of one value kept in a fact */
#define LIMIT_NOTE_BYTES 8192u              /* a reviewer's note */
#define LIMIT_LINE_SHOWN 4096u              /* bytes of one source line drawn or quoted */
#define LIMIT_EXPANDED (256u * 1024)        /* bytes of one expanded variable text */
#define LIMIT_EXPAND_DEPTH 32u              /* quotes and braces open at once in one word */
#define LIMIT_INSTRUCTIONS 20000u            /* of one Dockerfile */
#define LIMIT_OPEN_ENDS 32u                 /* searches for an end that never comes, in one file */
#define LIMIT_ENV 10000u                     /* variables of one image that are listed */
#define LIMIT_VARIABLES 2000u                /* names known at one place; later ones are not kept */
#define LIMIT_INHERITED 400000u             /* variables handed from stage to stage in one file */
#define LIMIT_TRIGGERS 2000u                 /* ONBUILD lines read again in stages of one file */
#define LIMIT_SHELL_COMMANDS 100000u        /* commands of one script */
#define LIMIT_SHELL_LEVELS 16u              /* substitutions inside substitutions */
#define LIMIT_STAGES 1000u                  /* stages of one Dockerfile */
#define LIMIT_LAUNCHES 500u                 /* containers started by one script */
#define LIMIT_TAKEN 20000u                   /* mounts that services of a project take from others */
#define LIMIT_SHARERS 32u                   /* rows of one shared thing that are linked with each other */
#define LIMIT_DOWNLOADS 64u                 /* downloads looked back at for a check or a run */
#define LIMIT_PROJECT_BYTES (128u * 1024 * 1024)   /* memory of one Compose project's values */
#define LIMIT_SNAPSHOT_BYTES (2048ul * 1024 * 1024) /* memory of one review; then nothing more is read */
#define LIMIT_EVIDENCE_DAYS 30             /* that an export may be older than the reviewed commit */
#define LIMIT_JOURNAL_BYTES (64u * 1024 * 1024)

#endif
