// Programmers' words in Korean, in the form of the Chinese table. What carries a particle is found by how it begins.
export const KOREAN = `
에러 error, 오류 error, 오류메시지 error message, 예외 exception, 예외처리 exception handling, 타임아웃 timeout, 시간초과 timeout, 시간 time, 재시도 retry, 캐시 cache, 큐 queue, 대기열 queue, 스택 stack, 힙 heap
스레드 thread, 쓰레드 thread, 스레드풀 thread pool, 프로세스 process, 하위프로세스 child process, 워커 worker, 작업자 worker, 작업 task/job, 태스크 task, 스케줄러 scheduler, 스케줄 schedule, 잠금 lock, 락 lock, 교착상태 deadlock
뮤텍스 mutex, 세마포어 semaphore, 신호 signal, 원자적 atomic, 동시 concurrent, 동시성 concurrency, 병렬 parallel, 동기 sync/synchronous, 동기화 synchronize/sync, 비동기 async/asynchronous, 콜백 callback, 프로미스 promise
이벤트 event, 이벤트루프 event loop, 핸들러 handler, 처리기 handler, 리스너 listener, 훅 hook, 트리거 trigger, 미들웨어 middleware, 플러그인 plugin, 확장 extension, 모듈 module, 패키지 package, 라이브러리 library
프레임워크 framework, 컴포넌트 component, 인터페이스 interface, 클래스 class, 메서드 method, 메소드 method, 함수 function, 변수 variable, 상수 constant, 매개변수 parameter/param, 인자 argument, 인수 argument, 반환 return
반환값 return value, 속성 property/attribute, 필드 field, 객체 object, 인스턴스 instance, 생성자 constructor, 소멸자 destructor, 상속 inherit, 구현 implement, 추상 abstract, 타입 type, 자료형 type, 제네릭 generic, 열거형 enum
구조체 struct, 배열 array, 목록 list, 리스트 list, 집합 set, 맵 map, 해시 hash, 트리 tree, 노드 node, 그래프 graph, 요소 element, 문자열 string, 문자 character/char, 정수 integer, 숫자 number, 정규식 regex/regexp, 정규표현식 regex/regexp
옵션 option, 플래그 flag, 기본값 default, 기본 default, 설정 config/setting, 설정파일 config file, 구성 config, 환경변수 environment variable/env, 환경 environment, 전역 global, 지역 local, 범위 scope/range, 문맥 context, 컨텍스트 context
메모리 memory, 메모리누수 memory leak, 누수 leak, 가비지 garbage, 포인터 pointer, 바이트 byte, 비트 bit, 버퍼 buffer, 스트림 stream, 파이프 pipe, 파이프라인 pipeline, 채널 channel, 청크 chunk, 블록 block, 차단 block
파일 file, 파일이름 filename, 파일명 filename, 폴더 folder, 디렉터리 directory/dir, 디렉토리 directory/dir, 경로 path, 링크 link, 디스크 disk, 헤더 header, 본문 body, 요청 request, 응답 response, 서버 server, 클라이언트 client
호스트 host, 포트 port, 소켓 socket, 프로토콜 protocol, 네트워크 network, 연결 connection/connect, 연결풀 connection pool, 재연결 reconnect, 세션 session, 쿠키 cookie, 토큰 token, 비밀번호 password, 암호 password, 암호화 encrypt, 복호화 decrypt
사용자 user, 로그인 login, 로그아웃 logout, 계정 account, 권한 permission, 인증 authentication/auth, 인가 authorization, 보안 security, 데이터 data, 데이터베이스 database/db, 테이블 table, 레코드 record, 색인 index, 인덱스 index, 쿼리 query
트랜잭션 transaction, 롤백 rollback, 커밋 commit, 스키마 schema, 마이그레이션 migration, 백업 backup, 복제 replica/clone, 복사 copy, 클러스터 cluster, 반복 loop/repeat/iterate, 반복자 iterator, 재귀 recursion, 개수 count, 횟수 count/times
크기 size, 길이 length, 제한 limit, 한도 limit, 최대 max/maximum, 최소 min/minimum, 최댓값 max/maximum, 최솟값 min/minimum, 임계값 threshold, 용량 capacity, 속도 rate/speed, 지연 delay, 대기 wait, 기다리 wait, 기다림 wait, 일시중지 pause, 중단 abort/interrupt
중지 stop, 취소 cancel, 종료 exit/end/terminate, 종료코드 exit code, 시작 start/begin, 재시작 restart, 재개 resume, 실행 execute/run, 실행순서 execution order, 호출 call, 처리 handle/process, 초기화 initialize/init/reset, 정리 cleanup, 해제 release/free
닫기 close, 닫히 close, 열기 open, 읽기 read, 쓰기 write, 저장 save/store, 삭제 delete/remove, 제거 remove, 추가 add/append, 수정 modify, 변경 change, 갱신 update/refresh, 업데이트 update, 변환 convert/transform, 대체 replace, 교체 replace
검색 search, 찾기 find, 조회 query/lookup, 생성 create/generate, 비교 compare, 병합 merge, 분할 split, 정렬 sort, 순서 order, 우선순위 priority, 만료 expire, 유효기간 expiry, 유효 valid, 무효 invalid, 무효화 invalidate, 활성화 enable, 비활성화 disable
검증 validate/verify, 검사 check, 확인 check, 실패 fail/failure, 성공 success, 경고 warning, 무시 ignore, 폐기 discard, 파싱 parse, 파서 parser, 분석 analyze, 압축 compress, 직렬화 serialize, 역직렬화 deserialize, 인코딩 encode/encoding, 디코딩 decode
형식 format, 패턴 pattern, 일치 match, 필터 filter, 라우터 router, 라우팅 routing/route, 리다이렉트 redirect, 프록시 proxy, 테스트 test, 테스트케이스 test case, 모의 mock, 단언 assert, 커버리지 coverage, 벤치마크 benchmark, 디버그 debug, 디버깅 debug
로그 log, 로거 logger, 메시지 message, 보고서 report, 리포터 reporter, 상태 state/status, 상태코드 status code, 빌드 build, 컴파일 compile, 번들 bundle, 배포 deploy, 설치 install, 업로드 upload, 다운로드 download, 로드 load, 버전 version
브랜치 branch, 충돌 conflict, 저장소 repository/repo/storage, 스크립트 script, 명령 command, 명령줄 command line/cli, 터미널 terminal, 콘솔 console, 창 window, 버튼 button, 메뉴 menu, 화면 screen, 페이지 page, 렌더링 render, 브라우저 browser
의존성 dependency, 순환참조 circular reference, 참조 reference, 임시 temporary/temp, 임시파일 temporary file/temp, 공백 whitespace, 줄바꿈 newline, 줄번호 line number, 중복 duplicate, 고유 unique, 경계 boundary, 감시 watch, 등록 register, 구독 subscribe, 발행 publish
어디 -, 어디서 -, 어디에 -, 어떻게 -, 어떤 -, 왜 -, 언제 -, 무엇 -, 무슨 -, 누가 -, 몇 -, 이 -, 그 -, 저 -, 하나요 -, 하는 -, 하면 -, 하기 -, 합니다 -, 되나요 -, 되는 -, 되면 -, 됩니다 -, 있는 -, 있나요 -, 없는 -, 없으면 -, 때 -, 경우 -, 대해 -, 설명 -, 설명해 -, 코드 code, 프로젝트 -, 결정 -, 이루어지 -, 발생 -
`;
