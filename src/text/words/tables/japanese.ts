// Programmers' words in Japanese, in the form of the Chinese table: first what is borrowed, then what is not.
export const JAPANESE = `
エラー error, エラーメッセージ error message, エラーコード error code, エラーハンドリング error handling, タイムアウト timeout, リトライ retry, キャッシュ cache, キュー queue, スタック stack
スタックトレース stack trace, ヒープ heap, スレッド thread, スレッドプール thread pool, プロセス process, サブプロセス subprocess, プール pool, ワーカー worker, ワーカ worker, タスク task, ジョブ job
スケジューラ scheduler, スケジューラー scheduler, スケジュール schedule, ロック lock, デッドロック deadlock, ミューテックス mutex, セマフォ semaphore, シグナル signal, アトミック atomic
コールバック callback, プロミス promise, イベント event, イベントループ event loop, ハンドラ handler, ハンドラー handler, リスナー listener, リスナ listener, フック hook, トリガー trigger
ミドルウェア middleware, プラグイン plugin, モジュール module, パッケージ package, ライブラリ library, フレームワーク framework, コンポーネント component, インターフェース interface
インターフェイス interface, クラス class, メソッド method, プロパティ property, フィールド field, オブジェクト object, インスタンス instance, コンストラクタ constructor, コンストラクター constructor
デストラクタ destructor, パラメータ parameter/param, パラメーター parameter/param, オプション option, フラグ flag, デフォルト default, デフォルト値 default, グローバル global, ローカル local
スコープ scope, コンテキスト context, クロージャ closure, ポインタ pointer, メモリ memory, メモリリーク memory leak, リーク leak, ガベージコレクション garbage collection/gc, バイト byte, ビット bit
バッファ buffer, バッファー buffer, ストリーム stream, パイプ pipe, パイプライン pipeline, チャネル channel, チャンネル channel, チャンク chunk, ブロック block, ノンブロッキング nonblocking
ファイル file, ファイル名 filename, ファイルシステム filesystem, フォルダ folder, フォルダー folder, ディレクトリ directory/dir, パス path, リンク link, シンボリックリンク symlink, ディスク disk
ボリューム volume, オフセット offset, カーソル cursor, ヘッダ header, ヘッダー header, ボディ body, フッター footer, リクエスト request, レスポンス response, サーバ server, サーバー server, クライアント client
ホスト host, ホスト名 hostname, ポート port, ソケット socket, プロトコル protocol, ネットワーク network, コネクション connection, セッション session, クッキー cookie, トークン token, パスワード password
ユーザ user, ユーザー user, ユーザー名 username, ログイン login, ログアウト logout, アカウント account, ロール role, セキュリティ security, サンドボックス sandbox, ハッシュ hash, キー key
データ data, データベース database/db, テーブル table, レコード record, カラム column, インデックス index, クエリ query, クエリー query, トランザクション transaction, ロールバック rollback, コミット commit
スキーマ schema, マイグレーション migration, バックアップ backup, レプリカ replica, クラスタ cluster, クラスター cluster, ノード node, ツリー tree, グラフ graph, リスト list, セット set, マップ map
マッピング mapping/map, イテレータ iterator, ジェネレータ generator, ループ loop, カウンタ counter, カウンター counter, カウント count, サイズ size, レート rate, レート制限 rate limit, リミット limit
タイプ type, キャスト cast, ジェネリクス generic, アノテーション annotation, デコレータ decorator, テンプレート template, モデル model, ビュー view, コントローラ controller, ルータ router, ルーター router
ルーティング routing/route, ルート root/route, リダイレクト redirect, プロキシ proxy, ゲートウェイ gateway, ロードバランサ load balancer, フィルタ filter, フィルター filter, パーサ parser, パーサー parser
パース parse, シリアライズ serialize, デシリアライズ deserialize, エンコード encode, エンコーディング encoding, デコード decode, エスケープ escape, フォーマット format, パターン pattern, マッチ match
テスト test, テストケース test case, テストスイート test suite, スイート suite, モック mock, スタブ stub, アサーション assertion, カバレッジ coverage, ベンチマーク benchmark, デバッグ debug
ブレークポイント breakpoint, ログ log, ログレベル log level, ロガー logger, ログファイル log file, メッセージ message, レポート report, レポーター reporter, レポータ reporter, ステータス status, ステータスコード status code
ビルド build, コンパイル compile, コンパイラ compiler, バンドル bundle, デプロイ deploy, インストール install, アップデート update, アップロード upload, ダウンロード download, ロード load, リロード reload, バージョン version
ブランチ branch, マージ merge, コンフリクト conflict, リポジトリ repository/repo, スクリプト script, コマンド command, コマンドライン command line/cli, ターミナル terminal, コンソール console, シェル shell, プロンプト prompt
ウィンドウ window, ボタン button, メニュー menu, ダイアログ dialog, アイコン icon, テーマ theme, レイアウト layout, ページ page, スクロール scroll, ドラッグ drag, クリック click, レンダリング render, ブラウザ browser
ソート sort, シャッフル shuffle, スキップ skip, キャンセル cancel, クリア clear, リセット reset, クローズ close, オープン open, スタート start, ストップ stop, クラッシュ crash, パフォーマンス performance, スロットリング throttle
バックオフ backoff, バックプレッシャー backpressure, バリデーション validate/validation, チェック check, シャットダウン shutdown, ライフサイクル lifecycle, タイマー timer, タイマ timer, タイムスタンプ timestamp, スリープ sleep
プレフィックス prefix, サフィックス suffix, ラベル label, タグ tag, コメント comment, ドキュメント document/docs, サンプル sample, ソースコード source code, コード code, プログラム program, アルゴリズム algorithm
リソース resource, ライセンス license, グループ group, レベル level, モード mode, ターゲット target, ソース source, コピー copy, サポート support, ステップ step, シード seed, スナップショット snapshot, メトリクス metrics
例外 exception, 例外処理 exception handling, 関数 function, 変数 variable, 定数 constant, 引数 argument/parameter, 戻り値 return value, 配列 array, 要素 element, 文字列 string, 文字 character, 文字コード encoding, 正規表現 regex/regexp
整数 integer, 型 type, 構造体 struct, 列挙型 enum, 継承 inherit, 実装 implement, 抽象 abstract, 初期化 initialize/init, 初期値 initial value, 既定値 default, 既定 default, 設定 config/setting, 設定ファイル config file, 環境変数 environment variable/env
非同期 async/asynchronous, 同期 sync/synchronous, 並列 parallel, 並行 concurrent, 同時 concurrent, 同時実行 concurrency, 排他 exclusive, 排他制御 lock/mutex, 待機 wait, 待つ wait, 待ち wait, 待ち時間 wait/delay, 遅延 delay/lazy, 中断 abort/interrupt, 中止 abort, 停止 stop
終了 exit/end/finish, 終了コード exit code, 開始 start/begin, 起動 start/launch, 再起動 restart, 再試行 retry, 再帰 recursion, 再接続 reconnect, 再開 resume, 再読み込み reload, 実行 execute/run, 実行順序 execution order, 呼び出し call, 呼び出す call, 呼ぶ call, 処理 handle/process
接続 connection/connect, 切断 disconnect, 切断する disconnect, 送信 send, 受信 receive, 通信 communication/network, 通知 notify, 転送 transfer/forward, 応答 response, 要求 request, 読み込み load/read, 読み込む load/read, 読み取り read, 読む read, 書き込み write, 書き込む write, 書く write
保存 save, 保存する save, 削除 delete/remove, 追加 add/append, 更新 update, 変更 change, 変換 convert, 置換 replace, 検索 search/find, 取得 get/fetch, 作成 create, 生成 generate, 複製 copy/clone, 移動 move, 比較 compare, 結合 join/merge, 分割 split, 並び替え sort
順序 order, 順番 order, 優先度 priority, 優先順位 priority, 制限 limit, 上限 limit/max, 下限 min, 最大 max/maximum, 最小 min/minimum, 最大値 max/maximum, 最小値 min/minimum, 閾値 threshold, 容量 capacity, 長さ length, 大きさ size, 個数 count, 回数 count/times, 期限 deadline/expire, 有効期限 expiry/expire
期限切れ expired/expire, 無効化 invalidate/disable, 有効化 enable, 無効 invalid/disable, 有効 valid/enable, 検証 validate/verify, 認証 authentication/auth, 認可 authorization, 権限 permission, 暗号化 encrypt, 復号 decrypt, 署名 signature/sign, 秘密鍵 private key, 公開鍵 public key, 鍵 key
失敗 fail/failure, 成功 success, 警告 warning, 無視 ignore, 破棄 discard/destroy, 解放 release/free, 解析 parse/analyze, 圧縮 compress, 展開 expand/extract, 監視 watch/monitor, 登録 register, 購読 subscribe, 発行 publish/issue, 依存関係 dependency, 依存 dependency, 循環参照 circular reference
一時ファイル temporary file/temp, 一時停止 pause, 一時 temporary/temp, 絶対パス absolute path, 相対パス relative path, 拡張子 extension, 拡張機能 extension, 行番号 line number, 改行 newline, 空白 whitespace/blank, 空 empty, 重複 duplicate, 一意 unique, 範囲 range, 境界 boundary, 参照 reference
どこ -, どの -, どのように -, どうやって -, どう -, どうなる -, どれ -, なぜ -, なに -, なん -, いつ -, 何 -, 何が -, 何を -, ですか -, です -, ますか -, ます -, ました -, する -, される -, されます -, されますか -, した -, された -, して -, している -, しています -, すると -, の -, は -, が -, を -, に -, で -, と -, も -, や -, か -, へ -
から -, まで -, では -, には -, とき -, こと -, もの -, この -, その -, あの -, それ -, これ -, ある -, いる -, なる -, ない -, できる -, できない -, について -, によって -, ための -, ため -, 場合 -, 方法 -, 教えて -, ください -, 説明 -, 決まる -, 決める -, 決定 -, れる -, られる -, られ -, れ -, し -, た -, て -, な -, さ -, い -, ん -, る -, ば -, り -
`;
