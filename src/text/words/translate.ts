// Traditional characters, each followed by its simplified form: those of programmers' words.
const PAIRS = `
線线 緩缓 執执 緒绪 佇伫 隊队 鎖锁 鏈链 連连 斷断 開开 關关 閉闭 啟启 動动 啓启 載载 寫写 讀读 讓让 許许 權权 證证 錯错 誤误 異异 計计 數数 據据 庫库 記记 憶忆
體体 檔档 檢检 測测 試试 驗验 設设 預预 變变 參参 輸输 傳传 遞递 歸归 遲迟 時时 間间 響响 應应 請请 併并 並并 發发 結结 構构 網网 絡络 協协 議议 頁页 頭头 標标
題题 識识 別别 註注 釋释 譯译 編编 碼码 壓压 縮缩 實实 現现 繼继 類类 項项 屬属 隱隐 顯显 顏颜 選选 擇择 擴扩 導导 匯汇 滙汇 組组 裝装 過过 濾滤 淨净 衝冲 沖冲
掛挂 鉤钩 鈎钩 監监 聽听 聞闻 訂订 閱阅 佈布 廣广 節节 點点 樹树 圖图 邊边 葉叶 層层 陣阵 對对 鍵键 徑径 夾夹 錄录 環环 帳账 號号 戶户 賬账 單单 雙双 側侧 條条
迴回 躍跃 轉转 換换 遷迁 遠远 與与 從从 於于 後后 裡里 裏里 麼么 們们 個个 這这 樣样 會会 還还 為为 來来 幾几 種种 誰谁 內内 總总 額额 減减 積积 餘余 極极 滿满
臨临 備备 複复 復复 製制 貼贴 刪删 創创 銷销 毀毁 棄弃 當当 機机 殺杀 終终 進进 級级 優优 調调 蹤踪 跡迹 誌志 訊讯 資资 訓训 練练 學学 習习 蒐搜 尋寻 詢询 詞词
語语 彙汇 規规 則则 範范 圍围 區区 塊块 棧栈 務务 訪访 問问 攔拦 驅驱 觸触 決决 絕绝 駁驳 僅仅 隨随 統统 雜杂 湊凑 鑰钥 簽签 瀏浏 覽览 視视 畫画 繪绘 滾滚 擊击
盤盘 電电 腦脑 駭骇 補补 遺遗 軟软 慣惯 專专 業业 紀纪 績绩 產产 億亿 萬万 劃划 適适 較较 陳陈 舊旧 齊齐 歷历 曆历 虛虚 擬拟 稱称 態态 遊游 傾倾 濫滥 運运 週周
輪轮 擁拥 飢饥 餓饿 競竞 爭争 搶抢 佔占 獨独 虧亏 閘闸 門门 飛飞 馬马 魚鱼 鳥鸟 龍龙 龜龟 齒齿 貝贝 見见 車车 長长 韋韦 風风 麥麦 黃黄 齡龄 髒脏 髮发 麗丽 鬆松
緊紧 鄰邻 鏡镜 鐘钟 鍾钟 鋪铺 銜衔 鉅巨 錶表 鍛锻 陸陆 陽阳 際际 險险 雖虽 離离 難难 霧雾 靜静 韻韵 頂顶 順顺 須须 頻频 顆颗 顧顾 飄飘 飽饱 養养 館馆 駐驻 駕驾
騙骗 驟骤 鬥斗 魯鲁 鮮鲜 鹼碱 麵面 黨党 齋斋 攜携 擾扰 攝摄 攤摊 敗败 敵敌 斂敛 暫暂 曬晒 書书 東东 榮荣 槍枪 樓楼 樞枢 橋桥 橫横 檯台 櫃柜 欄栏 歡欢 歲岁 殘残
氣气 沒没 滅灭 漢汉 潔洁 濟济 濃浓 災灾 無无 煩烦 熱热 燈灯 爛烂 爾尔 牆墙 狀状 獲获 獻献 瑣琐 療疗 盜盗 盡尽 眾众 確确 礎础 禦御 禮礼 稅税 穩稳 窮穷 筆笔 簡简
籤签 糾纠 納纳 純纯 紙纸 細细 紹绍 絞绞 給给 絲丝 經经 綁绑 維维 綱纲 緻致 縱纵 織织 繞绕 繫系 係系 續续 纏缠 罰罚 羅罗 義义 聯联 職职 脈脉 脫脱 腳脚 臺台 舉举
艙舱 蓋盖 蕩荡 藝艺 處处 蟲虫 術术 衛卫 襲袭 託托 詳详 該该 說说 課课 談谈 論论 諾诺 謝谢 譜谱 譽誉 負负 責责 貨货 販贩 貫贯 貴贵 費费 質质 贊赞 趨趋 趙赵 踐践
輕轻 輔辅 輯辑 轟轰 辦办 辭辞 達达 違违 遙遥 遜逊 邏逻 郵邮 醫医 釘钉 針针 鈕钮 錢钱 鎮镇 閃闪 閒闲 閾阈 闡阐 隻只 雲云 兩两 嚴严 喪丧 叢丛 樂乐 買买 亂乱 畝亩
親亲 倉仓 儀仪 價价 傷伤 倫伦 偽伪 債债 儲储 兒儿 兌兑 岡冈 冊册 軍军 農农 馮冯 況况 凍冻 涼凉 鳳凤 憑凭 凱凯 劉刘 剛刚 劑剂 剝剥 劇剧 勸劝 勁劲 勞劳 勢势 勵励
華华 賣卖 卻却 廠厂 厭厌 敘叙 疊叠 嗎吗 呂吕 啞哑 員员 嘗尝 園园 國国 圓圆 聖圣 場场 壞坏 堅坚 壇坛 墊垫 塵尘 墮堕 墳坟 壘垒 壯壮 聲声 殼壳 夠够 奪夺 獎奖 奮奋
婦妇 嬰婴 孫孙 寧宁 寶宝 審审 憲宪 宮宫 寬宽 賓宾 將将 屆届 島岛 嶺岭 帥帅 帶带 幀帧 幫帮 幣币 廢废 張张 彈弹 強强 徹彻 徵征 懷怀 憐怜 戀恋 懸悬 驚惊 懶懒 慮虑
戰战 戲戏 撲扑 掃扫 揚扬 撫抚 拋抛 護护 報报 擔担 攏拢 揀拣 擰拧 撥拨 擋挡 擠挤 揮挥 損损 撿捡 捨舍 擱搁 攪搅 評评 詭诡 誇夸 認认 觀观 覺觉
`;

/** Most words: nothing in them is Chinese. */
const LATIN = /^[\u0020-\u024f]*$/;
const simple = new Map<string, string>();
for (const pair of PAIRS.trim().split(/\s+/)) {
  const [from, to] = pair;
  if (from !== undefined && to !== undefined) simple.set(from, to);
}

/** Returns a text with its traditional Chinese characters simplified, as far as programmers' words need it. */
export function simplified(text: string): string {
  if (LATIN.test(text)) return text;
  let plain = '';
  for (const character of text) plain += simple.get(character) ?? character;
  return plain;
}

/** The English words of one word, in order, each with others that translate it as well. Empty for a function word. */
export type Translation = readonly (readonly string[])[];

// Programmers' words in Chinese and what they are called in code: entries by commas, the Chinese word first, then its
// English words; `/` between words that translate it equally well, `-` for a function word of questions. Words of Taiwan
// are here too, in simplified characters.
export const CHINESE = `
如何 -, 怎么 -, 怎样 -, 怎么样 -, 怎么办 -, 什么 -, 什么时候 -, 何时 -, 为什么 -, 为何 -, 哪里 -, 哪儿 -, 哪些 -, 哪个 -, 哪一个 -, 哪种 -, 哪 -, 谁 -
是否 -, 是不是 -, 有没有 -, 能否 -, 能不能 -, 会不会 -, 可不可以 -, 可以 -, 能够 -, 怎 -, 吗 -, 呢 -, 吧 -, 啊 -, 了 -, 的 -, 地 -, 得 -, 着 -, 过 -
是 -, 在 -, 会 -, 能 -, 要 -, 被 -, 把 -, 将 -, 让 -, 给 -, 从 -, 到 -, 对 -, 对于 -, 关于 -, 由 -, 由谁 -, 以 -, 以及 -, 和 -, 与 -, 或 -, 或者 -
及 -, 也 -, 都 -, 就 -, 才 -, 又 -, 还 -, 还是 -, 而 -, 而且 -, 但 -, 但是 -, 如果 -, 假如 -, 若 -, 当 -, 时 -, 的时候 -, 时候 -, 之后 -, 以后 -, 后 -
之前 -, 以前 -, 前 -, 之间 -, 里 -, 里面 -, 中 -, 上 -, 下 -, 内 -, 外 -, 其 -, 其中 -, 它 -, 它们 -, 他们 -, 我 -, 我们 -, 你 -, 你们 -, 这 -, 这个 -
这些 -, 这里 -, 这样 -, 那 -, 那个 -, 那些 -, 那么 -, 一个 -, 一些 -, 某个 -, 某些 -, 个 -, 些 -, 有 -, 没有 -, 不 -, 不会 -, 不能 -, 不是 -, 发生 -
发生什么 -, 请 -, 请问 -, 解释 -, 说明 -, 介绍 -, 告诉 -, 描述 describe, 决定 decide/determine, 情况 -, 情况下 -, 怎么回事 -, 做 -, 做什么 -, 起来 -, 出来 -
下去 -, 下来 -, 进行 -, 通过 -, 根据 -, 按照 -, 按 -, 为了 -, 因为 -, 所以 -, 因此 -, 于是 -, 同样 -, 一样 -, 项目 project, 代码 code, 源代码 source code
源码 source code, 程式码 code, 代码库 codebase/repository, 仓库 repository, 储存库 repository, 工程 project, 专案 project, 工作区 workspace, 工作空间 workspace
超时 timeout, 逾时 timeout, 超时时间 timeout, 超时错误 timeout error, 时限 timeout/limit, 时间限制 time limit, 期限 deadline, 截止时间 deadline, 过期 expire/stale
过期时间 expiry/ttl, 失效 invalidate/expire, 失效时间 expiry, 有效期 ttl/lifetime, 生存时间 ttl, 存活时间 ttl, 时间 time, 时间戳 timestamp, 时间戳记 timestamp, 时长 duration
持续时间 duration, 间隔 interval, 时间间隔 interval, 周期 period/cycle, 生命周期 lifecycle, 定时器 timer, 计时器 timer, 计时 timing/timer, 定时 schedule/timer, 定时任务 cron/schedule
时钟 clock, 时区 timezone, 日期 date, 毫秒 millisecond/ms, 微秒 microsecond, 纳秒 nanosecond, 秒 second, 分钟 minute, 小时 hour, 天 day, 星期 week, 月份 month, 年份 year
闰年 leap year, 延迟 delay/latency, 延时 delay, 延迟加载 lazy load, 推迟 defer/postpone, 等待 wait, 等待时间 wait time, 等候 wait, 睡眠 sleep, 休眠 sleep, 暂停 pause/suspend
挂起 suspend/hang/pending, 恢复 resume/restore/recover, 继续 continue/resume, 中断 interrupt/abort, 中止 abort, 终止 terminate/abort, 停止 stop, 停 stop, 取消 cancel
撤销 undo/revoke, 撤消 undo, 重做 redo, 放弃 abandon/give, 退出 exit/quit, 退出码 exit code, 离开 leave, 结束 end/finish, 完成 complete/done/finish, 完毕 done
关闭 close/shutdown, 关掉 close, 优雅关闭 graceful shutdown, 关机 shutdown, 销毁 destroy/dispose, 释放 release/free, 回收 recycle/reclaim, 清理 cleanup/clean, 清除 clear
清空 clear/empty, 重置 reset, 重设 reset, 重启 restart, 重新启动 restart, 启动 start/launch, 启动时 startup, 开始 start/begin, 开启 enable/open, 打开 open, 打开文件 open file
启用 enable, 禁用 disable, 停用 disable, 激活 activate, 唤醒 wake, 初始化 initialize/init, 初始 initial, 初始值 initial value, 安装 install, 卸载 uninstall/unmount, 挂载 mount
部署 deploy, 升级 upgrade, 降级 downgrade/fallback, 更新 update, 刷新 refresh/flush, 重新加载 reload, 重载 overload/reload, 热更新 hot reload, 热重载 hot reload, 加载 load
载入 load, 预加载 preload, 懒加载 lazy load, 惰性 lazy, 按需 lazy/demand, 导入 import, 汇入 import, 导出 export, 汇出 export, 引入 import/include, 引用 reference, 依赖 dependency
依赖项 dependency, 依赖注入 dependency injection, 循环依赖 circular dependency, 相依性 dependency, 循环引用 circular reference, 循环参照 circular reference, 包 package, 套件 package
软件包 package, 模块 module, 模组 module, 库 library, 函式库 library, 框架 framework, 插件 plugin, 外挂 plugin, 扩展 extension/extend, 扩充 extension, 扩充功能 extension, 组件 component
元件 component, 中间件 middleware, 中介软体 middleware, 钩子 hook, 钩子函数 hook, 拦截器 interceptor, 拦截 intercept, 过滤器 filter, 过滤 filter, 筛选 filter, 装饰器 decorator
代理 proxy/agent, 代理服务器 proxy server, 适配器 adapter, 包装 wrap/wrapper, 包装器 wrapper, 封装 encapsulate/wrap, 工厂 factory, 单例 singleton, 观察者 observer, 监听器 listener
监听 listen/watch, 侦听 listen, 监控 monitor, 监视 watch/monitor, 监测 monitor, 观察 observe, 订阅 subscribe/subscription, 取消订阅 unsubscribe, 发布 publish/release, 广播 broadcast
重试 retry, 重试次数 retry count, 重试间隔 retry delay/interval, 重试机制 retry, 再试 retry, 尝试 try/attempt, 尝试次数 attempts, 次数 count/times, 几次 count/times
退避 backoff, 指数退避 exponential backoff, 抖动 jitter, 防抖 debounce, 节流 throttle, 限流 rate limit/throttle, 限速 rate limit/throttle, 速率 rate, 速率限制 rate limit, 频率 frequency/rate
频率限制 rate limit, 熔断 circuit breaker, 熔断器 circuit breaker, 限制 limit, 上限 limit/maximum/max, 下限 minimum/min/lower bound, 最大 max/maximum, 最大值 maximum/max, 最小 min/minimum
最小值 minimum/min, 最多 max/most, 最少 min/least, 至少 least/min, 阈值 threshold, 门槛 threshold, 临界值 threshold, 配额 quota, 额度 quota, 容量 capacity, 大小 size, 尺寸 size
长度 length, 宽度 width, 高度 height, 深度 depth, 数量 count/number, 个数 count, 多少 count, 几个 count, 多久 timeout/duration/interval, 多长时间 timeout/duration/interval, 多长 length/duration
多大 size, 太长 limit/timeout/long, 太大 limit/large/exceed, 太多 limit/many/exceed, 太慢 slow/timeout, 太久 timeout/long, 过长 long/limit, 过大 large/limit, 过多 limit/exceed, 超过 exceed/over/limit
超出 exceed/over, 超出范围 out range, 溢出 overflow, 下溢 underflow, 越界 bounds/range, 边界 boundary/bound, 范围 range, 区间 interval/range, 足够 enough, 不足 insufficient
并发 concurrency/concurrent, 并发数 concurrency, 并发控制 concurrency, 并行 parallel, 并行数 parallel/jobs, 同时 concurrent/simultaneous, 串行 serial/sequential, 顺序执行 sequential
线程 thread, 线程池 thread pool, 线程安全 thread safe, 多线程 thread/multithread, 单线程 single thread, 主线程 main thread, 工作线程 worker thread, 执行绪 thread, 线程数 thread count
进程 process, 子进程 child process, 主进程 main process, 父进程 parent process, 多进程 process, 工作进程 worker process, 守护进程 daemon, 后台进程 daemon/background process, 进程池 process pool
行程 process, 协程 coroutine, 纤程 fiber, 工作者 worker, 工作器 worker, 任务 task/job, 任务队列 task queue, 作业 job, 工作 work/job, 调度 schedule/dispatch, 调度器 scheduler, 排程 schedule
锁 lock, 加锁 lock, 上锁 lock, 解锁 unlock, 互斥 mutex/exclusive, 互斥锁 mutex, 读写锁 rwlock, 自旋锁 spinlock, 死锁 deadlock, 活锁 livelock, 信号量 semaphore, 信号 signal, 条件变量 condition
竞态 race, 竞争条件 race condition, 竞态条件 race condition, 竞争 race/contention, 原子 atomic, 原子操作 atomic, 同步 sync/synchronous/synchronize, 异步 async/asynchronous, 非同步 async
阻塞 block, 非阻塞 nonblocking, 饥饿 starvation, 抢占 preempt, 屏障 barrier, 通道 channel, 管道 pipe/pipeline, 管线 pipeline, 流水线 pipeline, 事件 event, 事件循环 event loop
事件回圈 event loop, 事件驱动 event driven, 事件处理 event handler, 触发 trigger/emit/fire, 触发器 trigger, 派发 dispatch, 分发 dispatch/distribute, 分派 dispatch, 分配 allocate/assign
回调 callback, 回调函数 callback, 回呼 callback, 承诺 promise, 拒绝 reject/refuse/deny, 兑现 fulfill/resolve, 接受 accept, 生成器 generator, 迭代器 iterator, 迭代 iterate/iteration
遍历 traverse/iterate/walk, 循环 loop/cycle, 回圈 loop, 死循环 infinite loop, 无限循环 infinite loop, 递归 recursion/recursive, 递回 recursion, 嵌套 nested/nest, 巢状 nested
缓存 cache, 缓存大小 cache size, 缓存命中 cache hit, 缓存失效 cache invalidate, 快取 cache, 命中 hit, 未命中 miss, 淘汰 evict, 驱逐 evict, 预热 warmup, 缓冲 buffer, 缓冲区 buffer
缓冲池 buffer pool, 队列 queue, 消息队列 message queue, 优先队列 priority queue, 优先级 priority, 优先 priority/prefer, 排队 queue/enqueue, 入队 enqueue/push, 出队 dequeue/pop, 佇列 queue
栈 stack, 堆栈 stack, 堆叠 stack, 调用栈 call stack, 堆栈跟踪 stack trace, 堆栈信息 stack trace, 堆 heap, 入栈 push, 出栈 pop, 链表 linked list, 列表 list, 清单 list/manifest, 数组 array
阵列 array, 元素 element/item, 集合 set/collection, 字典 dictionary/dict, 映射 map/mapping, 对应 map, 哈希 hash, 哈希表 hash map, 散列 hash, 杂凑 hash, 散列表 hash table, 树 tree
二叉树 binary tree, 节点 node, 结点 node, 子节点 child node, 父节点 parent node, 根节点 root node, 叶子 leaf, 叶节点 leaf node, 图 graph, 边 edge, 顶点 vertex, 矩阵 matrix, 向量 vector
元组 tuple, 枚举 enum/enumerate, 列举 enumerate/enum, 联合 union, 结构 structure/struct, 结构体 struct, 数据结构 data structure, 资料结构 data structure, 记录 record/log, 字段 field, 栏位 field
属性 property/attribute, 特性 feature/property, 成员 member, 方法 method, 函数 function, 函式 function, 匿名函数 anonymous function/lambda, 闭包 closure, 构造函数 constructor, 建构函式 constructor
构造 construct/build, 析构 destructor, 析构函数 destructor, 参数 parameter/argument/param, 形参 parameter, 实参 argument, 引数 argument, 默认参数 default parameter, 可选参数 optional parameter
返回 return, 返回值 return value, 回传 return, 传回 return, 变量 variable, 变数 variable, 全局变量 global variable, 全局 global, 局部变量 local variable, 局部 local, 环境变量 environment variable/env
环境变数 environment variable/env, 环境 environment/env, 常量 constant, 常数 constant, 值 value, 空值 null/empty, 空 empty/null, 为空 empty/null, 空的 empty, 非空 nonempty, 缺失 missing
缺少 missing, 不存在 missing/exist, 存在 exist, 未定义 undefined, 未知 unknown, 默认 default, 默认值 default, 预设 default/preset, 预设值 default, 缺省 default, 缺省值 default, 可选 optional
必需 required, 必填 required, 必须 required/must, 类 class, 类别 class/category, 基类 base class, 父类 parent class/superclass, 子类 subclass, 抽象类 abstract class, 抽象 abstract, 接口 interface/api
介面 interface, 实现 implement/implementation, 实作 implement, 继承 inherit/extend, 多态 polymorphism, 重写 override/rewrite, 覆盖 override/overwrite/coverage, 覆写 override/overwrite, 对象 object, 物件 object
实例 instance, 实例化 instantiate, 执行个体 instance, 类型 type, 型别 type, 类型检查 type check, 类型转换 type conversion/cast, 强制转换 cast/coerce, 转型 cast, 泛型 generic, 命名空间 namespace, 作用域 scope
范畴 scope, 上下文 context, 语境 context, 指针 pointer, 指标 pointer/metric, 空指针 null pointer, 地址 address, 位址 address, 内存 memory, 记忆体 memory, 内存泄漏 memory leak, 泄漏 leak, 泄露 leak
垃圾回收 garbage collection/gc, 字节 byte, 位元组 byte, 位 bit, 位元 bit, 比特 bit, 字符 character/char, 字元 character/char, 字符串 string, 字串 string, 子串 substring, 字符集 charset, 文本 text
文字 text, 空白 whitespace/blank, 空格 space, 换行 newline/line break, 换行符 newline, 行 line/row, 行号 line number, 列 column, 行数 lines, 缩进 indent, 前缀 prefix, 后缀 suffix, 后缀名 extension
大写 uppercase, 小写 lowercase, 大小写 case, 整数 integer/int, 浮点数 float, 浮点 float, 小数 decimal, 数字 number/digit, 数值 number/value, 数 number, 布尔 boolean, 布林 boolean, 真 true, 假 false
正则 regex/regexp, 正则表达式 regex/regexp/regular expression, 正规表示式 regex/regexp, 通配符 wildcard/glob, 模式 pattern/mode, 匹配 match, 匹配模式 pattern, 符合 match, 表达式 expression
表示式 expression, 语句 statement, 语法 syntax/grammar, 语法树 syntax tree/ast, 抽象语法树 ast, 语法错误 syntax error, 词法 lexical/lexer, 分词 tokenize, 词元 token, 标记 mark/token/tag, 标签 tag/label
令牌 token, 关键字 keyword, 关键词 keyword, 保留字 reserved word, 标识符 identifier, 标识 identifier/id, 识别码 id, 编号 number/id, 索引 index, 下标 index/subscript, 名称 name, 名字 name, 命名 name/naming
重命名 rename, 改名 rename, 别名 alias, 运算符 operator, 操作符 operator, 操作 operation/action, 运算 operation/compute, 计算 compute/calculate, 算法 algorithm, 演算法 algorithm, 公式 formula, 求和 sum
总和 sum/total, 总数 total, 总计 total, 平均 average/mean, 平均值 average/mean, 中位数 median, 百分比 percent, 比例 ratio/scale, 随机 random, 随机数 random, 种子 seed, 概率 probability, 四舍五入 round, 取整 round/floor
精度 precision, 加 add, 减 subtract, 乘 multiply, 除 divide, 除以 divide, 除零 division zero, 取模 modulo, 比较 compare, 相等 equal, 等于 equal, 不等 unequal, 大于 greater, 小于 less, 相同 same/equal, 不同 different
差异 diff/difference, 区别 difference, 对比 compare/diff, 排序 sort/order, 次序 order, 顺序 order/sequence, 升序 ascending, 降序 descending, 倒序 reverse, 反转 reverse/invert, 洗牌 shuffle, 去重 dedupe/unique
唯一 unique, 重复 duplicate/repeat, 合并 merge/combine, 拆分 split, 分割 split/segment, 切割 split/cut, 切片 slice, 截断 truncate, 裁剪 trim/crop, 修剪 trim/prune, 拼接 concat/join, 连接符 separator, 分隔符 delimiter/separator
分组 group, 群组 group, 聚合 aggregate, 归并 merge, 交换 swap/exchange, 替换 replace, 取代 replace, 插入 insert, 添加 add/append, 新增 add/create, 追加 append, 增加 increase/add, 减少 decrease/reduce, 递增 increment
递减 decrement, 删除 delete/remove, 移除 remove, 丢弃 discard/drop, 丢失 lost/lose, 忽略 ignore/skip, 跳过 skip, 排除 exclude, 包含 contain/include, 包括 include, 移动 move, 复制 copy/clone, 拷贝 copy, 克隆 clone, 深拷贝 deep copy/clone
浅拷贝 shallow copy, 粘贴 paste, 修改 modify/change, 更改 change, 改变 change, 变更 change, 变化 change, 编辑 edit, 编辑器 editor, 修复 fix/repair, 修正 fix/correct, 补丁 patch, 调整 adjust, 创建 create, 建立 create/build/establish
新建 create/new, 生成 generate, 产生 generate/produce, 构建 build, 编译 compile, 编译器 compiler, 解释器 interpreter, 转译 transpile, 转换 convert/transform, 转化 convert, 变换 transform, 链接 link, 打包 bundle/pack
压缩 compress/compression, 解压 decompress/unzip, 解压缩 decompress, 解包 unpack, 查找 find/lookup, 寻找 find/search, 搜索 search, 搜寻 search, 查询 query, 检索 retrieve/search, 找到 find/found, 找不到 missing/found, 定位 locate/position
获取 get/fetch/obtain, 取得 get/obtain, 得到 get, 提取 extract, 抓取 fetch/crawl, 拉取 pull/fetch, 推送 push, 提交 commit/submit, 设置 set/setting, 设定 set/setting/config, 赋值 assign, 读取 read, 读 read, 写入 write, 写 write
保存 save, 储存 save/store, 存储 store/storage, 存放 store, 持久化 persist/persistence, 落盘 flush/persist, 写回 writeback/write, 输入 input, 输出 output, 标准输出 stdout, 标准输入 stdin, 标准错误 stderr, 打印 print, 列印 print, 显示 show/display
展示 display/show, 隐藏 hide/hidden, 渲染 render, 绘制 draw/paint, 序列化 serialize, 反序列化 deserialize, 编码 encode/encoding, 解码 decode, 转义 escape, 跳脱 escape, 反转义 unescape, 解析 parse/resolve, 解析器 parser, 剖析 parse, 解析度 resolution, 分析 analyze/analysis
错误 error, 错误处理 error handling, 错误信息 error message, 错误讯息 error message, 错误码 error code, 错误代码 error code, 报错 error, 出错 error/fail, 异常 exception/error, 例外 exception, 异常处理 exception handling, 未捕获 uncaught, 未处理 unhandled
捕获 catch/capture, 抛出 throw/raise, 抛异常 throw, 丢出 throw, 引发 raise/cause, 失败 fail/failure, 失败率 failure rate, 成功 success/succeed, 崩溃 crash, 当机 crash, 宕机 crash/down, 故障 failure/fault, 缺陷 defect/bug, 警告 warning/warn, 告警 alert/alarm
提示 prompt/hint, 通知 notify/notification, 消息 message, 讯息 message, 信息 information/info/message, 资讯 information, 日志 log/logging, 日志级别 log level, 日志文件 log file, 日誌 log, 记录器 logger/recorder, 跟踪 trace/track, 追踪 trace/track, 调试 debug, 除错 debug
断点 breakpoint, 断言 assert/assertion, 测试 test, 测试用例 test case, 用例 case, 单元测试 unit test, 集成测试 integration test, 测试套件 test suite, 套 suite, 测试文件 test file/spec, 模拟 mock/simulate, 桩 stub, 夹具 fixture, 覆盖率 coverage, 基准测试 benchmark
性能 performance, 效能 performance, 优化 optimize/optimization, 最佳化 optimize, 瓶颈 bottleneck, 负载 load/payload, 负载均衡 load balance, 吞吐量 throughput, 统计 statistics/stats/count, 计数 count, 计数器 counter, 度量 metric/measure, 测量 measure, 指标统计 metric
报告 report, 报告器 reporter, 报表 report, 进度 progress, 进度条 progress bar, 状态 state/status, 状态码 status code, 状态机 state machine, 阶段 phase/stage, 步骤 step, 结果 result, 摘要 summary/digest, 概要 summary, 快照 snapshot, 历史 history
文件 file, 档案 file, 文件名 filename, 文件路径 file path, 文件夹 folder/directory, 资料夹 folder/directory, 目录 directory/dir, 子目录 subdirectory, 工作目录 working directory/cwd, 根目录 root directory, 临时文件 temporary file/temp, 临时 temporary/temp, 暂存 temp/staging
路径 path, 相对路径 relative path, 绝对路径 absolute path, 符号链接 symlink, 软链接 symlink, 硬链接 hardlink, 文件系统 filesystem, 文件描述符 file descriptor, 描述符 descriptor, 句柄 handle, 权限 permission, 只读 readonly, 可写 writable, 可执行 executable
磁盘 disk, 硬盘 disk, 卷 volume, 分区 partition, 分片 shard/chunk, 块 block/chunk, 分块 chunk, 扇区 sector, 偏移 offset, 偏移量 offset, 位置 position/location, 游标 cursor, 光标 cursor, 文件锁 lock, 文件头 header, 元数据 metadata, 配置 config/configuration
配置文件 config file, 配置项 option/config, 设定档 config, 选项 option, 开关 switch/toggle/flag, 标志 flag, 旗标 flag, 命令 command, 指令 command/instruction/directive, 命令行 command line/cli, 命令列 command line/cli, 命令行参数 command line argument/argv, 子命令 subcommand
终端 terminal, 终端机 terminal, 控制台 console, 主控台 console, 脚本 script, 指令码 script, 外壳 shell, 执行 execute/run, 运行 run, 运行时 runtime, 重新运行 rerun, 运行器 runner, 执行器 executor/runner, 调用 call/invoke, 呼叫 call/invoke, 被调用 called, 使用 use
处理 handle/process, 处理器 handler/processor, 处理程序 handler, 管理 manage, 管理器 manager, 控制 control, 控制器 controller, 服务 service, 服务器 server, 伺服器 server, 服务端 server, 客户端 client, 用户端 client, 主机 host, 主机名 hostname, 域名 domain/hostname
端口 port, 埠 port, 网络 network, 网路 network, 连接 connection/connect, 连线 connection/connect, 连接池 connection pool, 连接数 connections, 断开 disconnect, 断线 disconnect, 断开连接 disconnect, 重连 reconnect, 重新连接 reconnect, 长连接 keepalive/persistent connection
保持连接 keepalive, 心跳 heartbeat/ping, 握手 handshake, 套接字 socket, 协议 protocol, 协定 protocol, 请求 request, 请求头 request header, 请求体 request body, 响应 response/respond, 回应 response, 响应头 response header, 应答 reply/response, 回复 reply, 头部 header, 标头 header
正文 body, 主体 body, 负载数据 payload, 路由 route/router, 路由器 router, 重定向 redirect, 转向 redirect, 转发 forward, 跨域 cors/cross origin, 同源 same origin, 会话 session, 用户代理 user agent, 上传 upload, 下载 download, 传输 transfer/transport, 传送 send, 发送 send
寄送 send, 接收 receive, 收到 receive, 传递 pass, 数据包 packet, 封包 packet, 帧 frame, 流 stream, 数据流 stream, 串流 stream, 背压 backpressure, 流量 traffic, 流量控制 flow control, 带宽 bandwidth, 频宽 bandwidth, 网关 gateway, 防火墙 firewall, 证书 certificate, 凭证 credential/certificate
凭据 credential, 加密 encrypt/encryption, 解密 decrypt, 密钥 key/secret, 金钥 key, 公钥 public key, 私钥 private key, 密码 password, 口令 password, 签名 signature/sign, 签章 signature, 验证 validate/verify, 校验 validate/checksum, 校验和 checksum, 检查 check, 认证 authentication/auth
身份验证 authentication/auth, 授权 authorization/authorize, 登录 login, 登入 login, 登出 logout, 注销 logout/unregister, 注册 register, 用户 user, 使用者 user, 用户名 username, 账号 account, 账户 account, 帐号 account, 帐户 account, 角色 role, 管理员 admin, 安全 secure/safe/security
攻击 attack, 注入 inject/injection, 漏洞 vulnerability, 沙箱 sandbox, 沙盒 sandbox, 隔离 isolate/isolation, 白名单 allowlist/whitelist, 黑名单 blocklist/blacklist, 敏感 sensitive, 脱敏 redact/mask, 遮盖 mask/redact, 隐私 privacy, 数据 data, 资料 data, 数据库 database/db, 资料库 database/db
数据表 table, 表 table, 表格 table, 主键 primary key, 外键 foreign key, 键 key, 键值 key value, 事务 transaction, 交易 transaction, 回滚 rollback, 提交事务 commit, 隔离级别 isolation level, 迁移 migrate/migration, 备份 backup, 还原 restore, 副本 replica/copy, 复制集 replica, 主从 master replica
集群 cluster, 丛集 cluster, 分布式 distributed, 选举 election, 一致性 consistency, 共识 consensus, 日志压缩 compaction, 压实 compaction, 预写日志 wal, 模板 template, 范本 template, 模型 model, 模式定义 schema, 架构 architecture/schema, 结构描述 schema, 视图 view, 检视 view, 页面 page, 网页 page/web
分页 pagination/page, 浏览器 browser, 窗口 window, 视窗 window, 对话框 dialog, 按钮 button, 按键 key/button, 菜单 menu, 选单 menu, 图标 icon, 图示 icon, 图片 image, 图像 image, 颜色 color, 样式 style, 主题 theme/topic, 字体 font, 字型 font, 布局 layout, 版面 layout, 面板 panel, 侧边栏 sidebar
工具 tool, 工具栏 toolbar, 状态栏 statusbar, 滚动 scroll, 捲动 scroll, 拖动 drag, 拖拽 drag, 点击 click, 双击 double click, 鼠标 mouse, 滑鼠 mouse, 键盘 keyboard, 快捷键 shortcut/keybinding, 焦点 focus, 选择 select/choose, 选取 select, 选择器 selector, 选中 selected, 高亮 highlight, 缩放 zoom/scale
动画 animation, 悬停 hover, 弹出 popup/pop, 表单 form, 组合 combine/compose, 语言 language, 国际化 internationalization/i18n, 本地化 localization/l10n, 翻译 translate/translation, 区域 locale/region, 版本 version, 版本号 version, 分支 branch, 标注 annotate/label, 注解 annotation, 注释 comment, 文档 document/docs
文件说明 documentation, 示例 example, 范例 example, 样例 sample/example, 许可证 license, 作者 author, 发行 release, 主分支 main branch, 合并冲突 merge conflict, 冲突 conflict, 碰撞 collision, 差分 diff, 补全 completion, 自动补全 autocomplete/completion, 自动 auto/automatic, 手动 manual, 强制 force
条件 condition, 判断 check/decide/test, 判定 determine/check, 分支语句 branch, 规则 rule, 策略 strategy/policy, 约束 constraint, 约定 convention, 前置条件 precondition, 逻辑 logic, 流程 flow/process, 机制 mechanism, 原理 -, 作用 purpose, 目的 purpose, 功能 feature/function, 行为 behavior, 动作 action, 事项 item
有效 valid, 无效 invalid, 合法 valid/legal, 非法 invalid/illegal, 正确 correct, 不正确 incorrect/invalid, 特殊 special, 普通 plain/normal, 正常 normal, 不支持 unsupported, 支持 support, 兼容 compatible, 不兼容 incompatible, 弃用 deprecate, 废弃 deprecate/obsolete, 过时 obsolete/outdated, 实验性 experimental
公开 public, 公有 public, 私有 private, 受保护 protected, 静态 static, 动态 dynamic, 内部 internal/inner, 外部 external/outer, 远程 remote, 远端 remote, 本地 local, 前端 frontend, 后端 backend, 后台 background, 前台 foreground, 输入流 input stream, 输出流 output stream, 句子 sentence, 单词 word, 词 word
目标 target/goal, 来源 source/origin, 源 source, 起点 start, 终点 end, 开头 start/beginning, 结尾 end, 末尾 end/tail, 头 head, 尾 tail, 首个 first, 第一个 first, 最后 last, 最后一个 last, 下一个 next, 上一个 previous/prev, 当前 current, 旧 old, 旧的 old, 新 new, 新的 new, 全部 all, 所有 all, 每个 each, 每次 each/every
部分 part/partial, 批量 batch/bulk, 批处理 batch, 批次 batch, 单个 single, 多个 multiple, 层级 level/hierarchy, 级别 level, 等级 level, 层 layer, 深层 deep, 粒度 granularity, 大型 large, 长 long, 短 short, 快 fast, 慢 slow, 速度 speed, 高效 efficient, 空闲 idle, 繁忙 busy, 忙碌 busy, 可用 available, 不可用 unavailable
池 pool, 对象池 object pool, 资源 resource, 资源池 resource pool, 预算 budget, 成本 cost, 费用 cost/fee, 价格 price, 支付 pay/payment, 订单 order, 付款 payment, 金额 amount, 余额 balance, 令牌桶 token bucket, 桶 bucket, 漏桶 leaky bucket, 滑动窗口 sliding window, 布隆过滤器 bloom filter, 跳表 skiplist, 红黑树 red black tree, 前缀树 trie/prefix tree
搜索树 search tree, 剪枝 prune, 展开 expand, 折叠 collapse/fold, 扩容 grow/expand, 缩容 shrink, 收缩 shrink, 增长 grow/growth, 填充 fill/pad/padding, 对齐 align, 补零 pad zero, 占位符 placeholder, 插值 interpolate, 变量替换 substitution, 宏 macro, 预处理 preprocess, 后处理 postprocess, 反射 reflection/reflect, 元编程 metaprogramming
字节码 bytecode, 机器码 machine code, 汇编 assembly, 指令集 instruction set, 寄存器 register, 虚拟机 vm/virtual machine, 虚拟 virtual, 容器 container, 镜像 image/mirror, 编排 orchestrate, 内核 kernel, 核心 core/kernel, 系统 system, 操作系统 os/operating system, 系统调用 syscall, 驱动 driver, 设备 device, 硬件 hardware, 软件 software, 平台 platform
探测 probe/detect, 检测 detect/check, 侦测 detect, 发现 discover/discovery, 识别 recognize/identify, 猜测 guess/infer, 推断 infer, 推导 derive, 提前 early/ahead, 立即 immediate, 马上 immediate, 最终 final/eventually, 永远 forever/never, 从不 never, 总是 always, 偶尔 sometimes, 一次 once, 只一次 once, 一次性 once, 两次 twice, 多次 multiple/times/repeat
独占 exclusive, 共享 share/shared, 绑定 bind/binding, 解绑 unbind, 关联 associate/relation, 附加 attach/append, 附件 attachment, 分离 detach/separate, 脱离 detach, 委托 delegate, 转交 delegate/hand, 传播 propagate, 冒泡 bubble, 投递 deliver, 消费 consume, 消费者 consumer, 生产者 producer, 供应商 provider/vendor, 提供者 provider, 提供 provide, 写作 write
执行顺序 execution order, 加载顺序 load order, 输出格式 output format, 格式 format, 格式化 format, 美化 prettify/pretty, 排版 layout/format, 对照 compare, 镜头 lens, 根 root, 根级 root, 叶 leaf, 祖先 ancestor, 后代 descendant, 兄弟 sibling, 父级 parent, 子级 child, 子 child/sub, 父 parent, 独立 independent, 依次 sequential/order, 逐个 sequential/each
收集 collect/gather, 收集器 collector, 汇总 summary/aggregate, 积累 accumulate, 累加 accumulate/sum, 跨度 span, 监视器 monitor/watcher, 观察模式 watch mode, 改动 change, 脏 dirty, 干净 clean, 标准 standard, 规范 spec/specification, 规格 spec/specification, 严格 strict, 宽松 loose/lenient, 安静 quiet/silent, 静默 silent, 详细 verbose/detail, 冗长 verbose
意外 unexpected, 预期 expected, 期望 expect/expected, 期望值 expected, 实际 actual, 实际值 actual, 未完成 pending/incomplete, 待处理 pending, 待定 pending, 已完成 done/completed, 通过率 pass rate, 通过的 pass, 失败的 failed, 跳过的 skipped, 挂掉 crash/die, 卡住 hang/stuck, 卡死 hang/freeze, 冻结 freeze, 解冻 unfreeze/thaw, 僵尸 zombie, 孤儿 orphan
`;

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

const SHORTEST_KOREAN = 2;
const words = new Map<string, Translation>();
let longest = 1;

// A later table does not change what an earlier one says: Chinese and Japanese share characters.
for (const table of [CHINESE, JAPANESE, KOREAN])
  for (const entry of table.split(/[,\n]/)) {
    const [word, ...english] = entry.trim().split(' ');
    if (!word) continue;
    const key = simplified(word);
    if (words.has(key)) continue;
    words.set(
      key,
      english.filter((each) => each !== '-').map((each) => each.split('/')),
    );
    longest = Math.max(longest, key.length);
  }

/** In characters. */
export const LONGEST_TABLE_WORD = longest;

/** Tells whether the tables have a word, in simplified characters. */
export function isTableWord(word: string): boolean {
  return words.has(word);
}

/** Tells whether the tables say that a word only serves a sentence. */
export function isFunctionWord(word: string): boolean {
  return words.get(word)?.length === 0;
}

/** Returns the word of code for a Chinese, Japanese or Korean one; undefined for one that no table has. */
export function translationOf(original: string): Translation | undefined {
  const word = simplified(original);
  const found = words.get(word);
  if (found || !/^\p{Script=Hangul}+$/u.test(word)) return found;
  // Korean words carry their particles.
  for (let length = word.length - 1; length >= SHORTEST_KOREAN; length--) {
    const begun = words.get(word.slice(0, length));
    if (begun) return begun;
  }
  return undefined;
}
